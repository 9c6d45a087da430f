import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-Y5I6MRI7.js";import"./chunk-MVMHBM5I.js";import"./chunk-WYCJBPUM.js";import"./chunk-SSILKB4R.js";import"./chunk-6DHZC7BZ.js";import"./chunk-JIAG4PFQ.js";export{a as aboutNotes,b as memoriesForTask};
