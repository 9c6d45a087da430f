import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
function o(n){if(!Array.isArray(n)&&!(n instanceof Float32Array)||n.length===0||n.length>i)return;let t=0;for(let e of n){if(typeof e!="number")return;t+=e*e}let r=Math.sqrt(t);if(!(!Number.isFinite(r)||r===0))return Float32Array.from(n,e=>e/r)}var i=8192;export{o as a};
