import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{b as a,c as b,d as c}from"./chunk-AU3P4E3O.js";import"./chunk-PJIEA5MN.js";import"./chunk-DILMXWH7.js";import"./chunk-VZNDUFWH.js";import"./chunk-JIAG4PFQ.js";export{b as callerSessionsOf,a as createCallerSessions,c as endCallerSessions};
