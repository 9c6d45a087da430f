import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
function t({deadline:e},r){return e-r-500}export{t as a};
