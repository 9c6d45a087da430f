import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-RAPYUYYV.js";import"./chunk-J3KIF5N2.js";import"./chunk-ICBKJNM7.js";import"./chunk-MVEYQQY2.js";import"./chunk-MDSWUGO5.js";import"./chunk-VZNDUFWH.js";import"./chunk-JIAG4PFQ.js";export{a as createSignIns,b as joinScopes};
