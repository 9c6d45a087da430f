import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-OBZZYLDO.js";import"./chunk-J3KIF5N2.js";import"./chunk-AD5G4QEP.js";import"./chunk-XC3BJMXU.js";import"./chunk-2J5QN6RM.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as createSignIns,b as joinScopes};
