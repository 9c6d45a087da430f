import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-BAQHQ4YR.js";import"./chunk-FRM4XUPE.js";import"./chunk-FPUCFWLJ.js";import"./chunk-VZNDUFWH.js";import"./chunk-JIAG4PFQ.js";export{a as listenInFolder,b as removeDeadBridges};
