import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b,c,d,e}from"./chunk-ABDMOUXP.js";import"./chunk-OB4XZPOP.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as fileProblem,e as formatJsonPath,d as formatProblem,c as invalidFile,b as placeProblem};
