import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-FPPXZWLY.js";import"./chunk-J3KIF5N2.js";import"./chunk-2GMQZ5N6.js";import"./chunk-VGEENSMO.js";import"./chunk-6A5HIUJI.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as createSignIns,b as joinScopes};
