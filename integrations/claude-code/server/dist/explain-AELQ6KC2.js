import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{b as a}from"./chunk-YSCKAXDS.js";import"./chunk-JRKAZ5G7.js";import"./chunk-GF5NB56G.js";import"./chunk-M3HNHCVN.js";import"./chunk-2GAKLH5Z.js";import"./chunk-HVA76HK5.js";import"./chunk-JIAG4PFQ.js";export{a as explainOpenCode};
