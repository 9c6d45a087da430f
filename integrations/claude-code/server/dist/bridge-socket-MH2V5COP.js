import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-W7KQUSW6.js";import"./chunk-67SHZL67.js";import"./chunk-CBNGJOWL.js";import"./chunk-2EC4P35B.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as listenInFolder,b as removeDeadBridges};
