import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-CFWKOHLZ.js";import"./chunk-H4ENU5L2.js";import"./chunk-TKJWSUPX.js";import"./chunk-YWRR5WYW.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as listenInFolder,b as removeDeadBridges};
