import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{b as a}from"./chunk-AHZHTCYV.js";import"./chunk-OQXJNARB.js";import"./chunk-R77IJ35I.js";import"./chunk-J2XRNYGY.js";import"./chunk-7B5HIVDO.js";import"./chunk-7XUZNNZA.js";import"./chunk-3WZKS5VQ.js";import"./chunk-JIAG4PFQ.js";export{a as explainOpenCode};
