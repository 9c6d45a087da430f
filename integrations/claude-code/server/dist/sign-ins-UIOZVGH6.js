import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-5ELNMKHI.js";import"./chunk-J3KIF5N2.js";import"./chunk-AZ3VKNE3.js";import"./chunk-MBQY2BJQ.js";import"./chunk-DILMXWH7.js";import"./chunk-VZNDUFWH.js";import"./chunk-JIAG4PFQ.js";export{a as createSignIns,b as joinScopes};
