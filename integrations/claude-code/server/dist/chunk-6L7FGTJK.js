import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
function n(e){let r=Array.from(e.replace(/\s+/g," "));return r.length<12?`${r[0]??""}\u2026`:`${r.slice(0,4).join("")}\u2026${r.slice(-2).join("")}`}export{n as a};
