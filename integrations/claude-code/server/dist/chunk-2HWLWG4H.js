import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a as t}from"./chunk-TDOBZPMB.js";function o(e,n){return u=>{let r=Number(u);if(!Number.isInteger(r)||r<e||r>n)throw new t(`It must be a whole number from ${e} to ${n}.`);return r}}export{o as a};
