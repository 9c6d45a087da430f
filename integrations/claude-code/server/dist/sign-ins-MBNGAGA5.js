import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-2U3AK66L.js";import"./chunk-J3KIF5N2.js";import"./chunk-WHZCOH54.js";import"./chunk-PJXPHEML.js";import"./chunk-3NWNTN7D.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as createSignIns,b as joinScopes};
