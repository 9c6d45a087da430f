import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-3ON3CPO5.js";import"./chunk-64MHMSI7.js";import"./chunk-JIAG4PFQ.js";export{b as endpointGrants,a as readEndpoint};
