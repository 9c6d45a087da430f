import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-UITT6ZXU.js";import"./chunk-J3KIF5N2.js";import"./chunk-TG6PH2O4.js";import"./chunk-7S2FG5EH.js";import"./chunk-OB4XZPOP.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as createSignIns,b as joinScopes};
