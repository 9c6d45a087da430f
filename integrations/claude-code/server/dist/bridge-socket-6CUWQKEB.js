import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-NKA7KPZW.js";import"./chunk-V52KK7YC.js";import"./chunk-7S2FG5EH.js";import"./chunk-OB4XZPOP.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as listenInFolder,b as removeDeadBridges};
