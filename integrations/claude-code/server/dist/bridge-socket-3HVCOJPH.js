import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-VWAYPEPN.js";import"./chunk-BFMM66PK.js";import"./chunk-PJXPHEML.js";import"./chunk-3NWNTN7D.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as listenInFolder,b as removeDeadBridges};
