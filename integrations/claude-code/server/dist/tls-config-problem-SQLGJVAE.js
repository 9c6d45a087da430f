import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a}from"./chunk-POC6SFKU.js";import"./chunk-XPPXTY57.js";import"./chunk-I3JPLKWM.js";import"./chunk-7S2FG5EH.js";import"./chunk-TBTGSYTM.js";import"./chunk-OB4XZPOP.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as tlsConfigProblem};
