import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
var o=class extends Error{code;data;constructor(e){super(e.message),this.name="ServerError",this.code=e.code,this.data=e.data}},s=class extends Error{sent;lastLine;constructor(e,n){super(e),this.name="ConnectionLost",this.sent=n.sent,this.lastLine=n.lastLine}};export{o as a,s as b};
