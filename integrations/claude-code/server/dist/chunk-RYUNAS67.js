import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a as e}from"./chunk-5A3PNKV6.js";var r=2e3;function n(o){return e(o,r)}export{n as a};
