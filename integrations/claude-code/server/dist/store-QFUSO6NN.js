import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-3HL2SIY4.js";import"./chunk-A5SA5ALQ.js";import"./chunk-7JMKYKEH.js";import"./chunk-H2OEN5WI.js";import"./chunk-SIXPCPWK.js";import"./chunk-TKJWSUPX.js";import"./chunk-YWRR5WYW.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as openStore};
