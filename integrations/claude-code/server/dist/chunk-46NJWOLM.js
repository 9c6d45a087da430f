import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
function r(e){return/^[ -~]*$/.test(e)?e.toLowerCase():e.normalize("NFKD").replace(new RegExp("\\p{Default_Ignorable_Code_Point}","gu"),"").toUpperCase().toLowerCase()}export{r as a};
