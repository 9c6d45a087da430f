import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
var o="0.1.0";export{o as a};
