import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-6T3JRZAC.js";import"./chunk-MVMHBM5I.js";import"./chunk-7HXIJQPJ.js";import"./chunk-SSILKB4R.js";import"./chunk-S4DULMBU.js";import"./chunk-JIAG4PFQ.js";export{a as aboutNotes,b as memoriesForTask};
