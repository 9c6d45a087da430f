import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{b as a,c as b,d as c}from"./chunk-73QRMFZU.js";import"./chunk-M32SUVIZ.js";import"./chunk-OB4XZPOP.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{b as callerSessionsOf,a as createCallerSessions,c as endCallerSessions};
