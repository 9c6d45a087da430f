import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-GUNGDLY5.js";import"./chunk-J3KIF5N2.js";import"./chunk-HU5VXD5F.js";import"./chunk-CBNGJOWL.js";import"./chunk-2EC4P35B.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as createSignIns,b as joinScopes};
