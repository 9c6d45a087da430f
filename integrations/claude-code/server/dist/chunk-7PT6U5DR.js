import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
function t(e){return Object.fromEntries(Object.entries(e).filter(([,n])=>n!==void 0))}export{t as a};
