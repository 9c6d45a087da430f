import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-NWHQR2JF.js";import"./chunk-5RUYL27J.js";import"./chunk-Y7JADPB4.js";import"./chunk-VZNDUFWH.js";import"./chunk-JIAG4PFQ.js";export{a as listenInFolder,b as removeDeadBridges};
