import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-VA4JBHAJ.js";import"./chunk-FFCX6GCJ.js";import"./chunk-GN6T4FC2.js";import"./chunk-XGAJGZEZ.js";import"./chunk-DILMXWH7.js";import"./chunk-VZNDUFWH.js";import"./chunk-JIAG4PFQ.js";export{b as blockBuiltin,a as replacedBy};
