import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-LIQPDWHX.js";import"./chunk-4BC3P7QS.js";import"./chunk-SU6XUJ6I.js";import"./chunk-OTBPZXS7.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as listenInFolder,b as removeDeadBridges};
