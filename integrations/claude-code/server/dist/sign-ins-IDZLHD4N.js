import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import{a,b}from"./chunk-7LTXBXGP.js";import"./chunk-J3KIF5N2.js";import"./chunk-OT6SGGKZ.js";import"./chunk-TKJWSUPX.js";import"./chunk-YWRR5WYW.js";import"./chunk-7XUZNNZA.js";import"./chunk-JIAG4PFQ.js";export{a as createSignIns,b as joinScopes};
