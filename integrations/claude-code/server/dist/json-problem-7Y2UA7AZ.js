import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b,c,d,e}from"./chunk-HAJVMZJK.js";import"./chunk-6T43ISLI.js";import"./chunk-HVA76HK5.js";import"./chunk-JIAG4PFQ.js";export{a as fileProblem,e as formatJsonPath,d as formatProblem,c as invalidFile,b as placeProblem};
