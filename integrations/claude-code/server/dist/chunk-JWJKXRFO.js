import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);
var n=`const { connect, createServer } = process.getBuiltinModule('node:net')
const path = process.argv[2]
const pass = (from, to) => from.on('error', () => to.destroy()).pipe(to)
const take = (inner) => {
  const outer = connect({ path, allowHalfOpen: true })
  pass(inner, outer)
  pass(outer, inner)
}
createServer({ allowHalfOpen: true }, take).listen(3128, '127.0.0.1', () => process.stdout.write('ready\\n'))
`,t="http://127.0.0.1:3128",r="localhost,127.0.0.1,::1";function s({toLoopback:e}){let o=e?"":r;return{http_proxy:t,https_proxy:t,all_proxy:t,no_proxy:o,HTTP_PROXY:t,HTTPS_PROXY:t,ALL_PROXY:t,NO_PROXY:o,NODE_USE_ENV_PROXY:"1"}}export{n as a,s as b};
