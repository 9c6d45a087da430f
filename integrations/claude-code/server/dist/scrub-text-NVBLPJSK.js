import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import"./chunk-JIAG4PFQ.js";var a=async(e,n)=>{let{text:o,before:t}=e;if(typeof o!="string")throw new Error("the payload has no text");return{text:(await(await n.session()).clean(o,typeof t=="string"?{before:t}:{})).value}};export{a as scrubText};
