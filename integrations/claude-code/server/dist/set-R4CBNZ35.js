import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
import"./chunk-JIAG4PFQ.js";import{randomBytes as l}from"node:crypto";import{mkdirSync as m,mkdtempSync as u,realpathSync as p,rmSync as c,writeFileSync as f}from"node:fs";import{tmpdir as h}from"node:os";import{dirname as g,join as t}from"node:path";var y={agents:{coder:{allow:{servers:["contextd"],capabilities:["fs:read:**","shell:exec","memory:read","memory:write"]}},searcher:{allow:{servers:["contextd"],capabilities:["fs:read:**","memory:read","memory:write"]}},reviewer:{allow:{servers:["contextd"],tools:{contextd:["safe_read"]},capabilities:["fs:read:**"]},deny:{tools:{contextd:["safe_bash"]}},justification:"reviewers read and run nothing"}}},d=["accounts","billing","carts","delivery","exports","orders","payments","returns"],a="retryLimit";function b(e){let o=p(u(t(h(),"ctxd-demo-"))),s=(r,n)=>{m(g(t(o,r)),{recursive:!0,mode:448}),f(t(o,r),n,{mode:384})};try{let n=`ghp_${l(90).toString("base64").replaceAll(/[^A-Za-z0-9]/g,"").slice(0,36)}`;s("home/config/rules.json",JSON.stringify(y,null,2)),s("home/config/config.toml",`[log]
level = "error"
`),s("project/deploy.log",`pushing to the registry
GITHUB_TOKEN=${n}
release 1.4.2 is out
`);for(let i of d)s(`project/src/${i}.js`,w(i));return{project:t(o,"project"),env:{PATH:e.PATH,HOME:t(o,"home"),CONTEXTD_HOME:t(o,"home")},secret:n,sources:d.map(i=>`src/${i}.js`),sought:a,remove:()=>c(o,{recursive:!0,force:!0})}}catch(r){throw c(o,{recursive:!0,force:!0}),r}}var v=["open","check","change","close","list","count","merge","move","print","send","store","undo"];function w(e){let o=v.map(r=>[`/** Lets a customer ${r} what belongs to ${e}; throws where the shop is closed. */`,`export async function ${r}${e[0]?.toUpperCase()}${e.slice(1)}(shop, id) {`,`  const found = await shop.${e}.find(id)`,`  if (found === undefined) throw new Error('there is nothing of that id in ${e}')`,`  return shop.${e}.save({ ...found, state: '${r}' })`,"}"].join(`
`));return`${[...e==="payments"?[`export const ${a} = 7`]:[],...o].join(`

`)}
`}export{b as buildSet};
