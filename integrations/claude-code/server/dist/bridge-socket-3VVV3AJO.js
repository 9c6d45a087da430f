import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-U6VS6W57.js";import"./chunk-AVFV4CW3.js";import"./chunk-YXYYV4NT.js";import"./chunk-HPLWMRSL.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as listenInFolder,b as removeDeadBridges};
