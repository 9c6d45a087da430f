import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-4LO7HH73.js";import"./chunk-MR56TM46.js";import"./chunk-E5UWBZ54.js";import"./chunk-GNFNYCCT.js";import"./chunk-GBUNCCCF.js";import"./chunk-CBNGJOWL.js";import"./chunk-2EC4P35B.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as openStore};
