import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-JTOWNSCD.js";import"./chunk-LJVJMDDQ.js";import"./chunk-JIAG4PFQ.js";export{b as endpointGrants,a as readEndpoint};
