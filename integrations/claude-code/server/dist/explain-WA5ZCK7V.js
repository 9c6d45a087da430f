import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{b as a}from"./chunk-G7Q77LDG.js";import"./chunk-O436CU76.js";import"./chunk-BE37WYE4.js";import"./chunk-J2XRNYGY.js";import"./chunk-7B5HIVDO.js";import"./chunk-YMCZBGKF.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as explainOpenCode};
