import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{b as a}from"./chunk-UFFZD54U.js";import"./chunk-ZSXAMGCY.js";import"./chunk-H4DUBKTS.js";import"./chunk-J2XRNYGY.js";import"./chunk-ZH2XE6SC.js";import"./chunk-YMCZBGKF.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as explainOpenCode};
