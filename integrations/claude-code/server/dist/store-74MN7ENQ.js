import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-V6EZMETF.js";import"./chunk-COP57T4M.js";import"./chunk-E5UWBZ54.js";import"./chunk-RSALXMWC.js";import"./chunk-Z6JRB7MN.js";import"./chunk-PJXPHEML.js";import"./chunk-3NWNTN7D.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as openStore};
