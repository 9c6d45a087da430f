import type { RuleSamples } from '@contextd/shared/testing/secret-samples'

export const samplesB: RuleSamples = {
  'backblaze-application-key': {
    secret: ['B2_APPLICATION_KEY=«K00{digits:1}{base64:27}»'],
    clean: ['K00{digits:1}{base64:12}', 'K0010002'],
  },
  'baidu-cloud-api-key': {
    secret: ['QIANFAN_API_KEY=«bce-v3/ALTAK-{alnum:21}/{hex:40}»'],
    clean: ['bce-v3/ALTAK-{alnum:21}'],
  },
  'bannerbear-api-key': {
    secret: ['client = Bannerbear(api_key="«{alnum:22}tt»")', 'bannerbear_token: «bb_pr_{hex:30}»'],
    clean: [
      '"bannerbear_api_key": "{alnum:20}",',
      'export BANNERBEAR_TOKEN="bb_pr_{hex:10}"',
      "import { Bannerbear } from 'bannerbear'",
    ],
  },
  'baremetrics-api-key': {
    secret: ['      BAREMETRICS_KEY: "«lk_{alnum:22}»"'],
    clean: ['BAREMETRICS_API_KEY=lk_{alnum:12}', 'BAREMETRICS_API_KEY=${BAREMETRICS_API_KEY}'],
  },
  'base64-pem-encoded-private-key': {
    secret: ['tls.key: «LS0tLS1CRUdJTiB{[S]:1}U0EgUFJJ{base64:900}=»'],
    clean: ['tls.crt: LS0tLS1CRUdJTiB{[D]:1}RVJUSUZJ{base64:900}='],
  },
  'baseten-api-key': {
    secret: ['BASETEN_API_KEY=«{alnum:8}.{alnum:32}»'],
    clean: [
      'baseten_token: {alnum:8}.{alnum:12}',
      'Create a token in the settings of Baseten and keep it secret.',
    ],
  },
  'beamer-api-token': {
    secret: ['{"beamer": {"apiKey": "«b_{alnum:43}=»"}}'],
    clean: ["const beamerApiKey = 'b_{alnum:20}'", 'const key = process.env.BEAMER_KEY'],
  },
  'beebole-api-key': {
    secret: ['beebole_token: «{lower:40}»'],
    clean: ['export BEEBOLE_TOKEN="{lower:38}"', "import { Beebole } from 'beebole'"],
  },
  'besnappy-api-key': {
    secret: ["const besnappyApiKey = '«{lower:64}»'"],
    clean: ['besnappy.api.key={lower:67}', 'BESNAPPY_API_KEY=${BESNAPPY_API_KEY}'],
  },
  'besttime-api-key': {
    secret: ['export BESTTIME_TOKEN="«pri_{hex:32}»"'],
    clean: ['docker run -e BESTTIME_SECRET=pub_{hex:32} app', 'besttime_token: changeme'],
  },
  'betterstack-api-key': {
    secret: ['betterstack.api.key=«{alnum:24}»'],
    clean: [
      'GET https://api.betterstack.com/v1/items?api_key={alnum:29}',
      'Create a token in the settings of Betterstack and keep it secret.',
    ],
  },
  'binance-api-key': {
    secret: ['docker run -e BINANCE_SECRET=«{alnum:64}» app'],
    clean: ['binance_api_key = "{alnum:61}"', 'const key = process.env.BINANCE_KEY'],
  },
  'bitbar-api-key': {
    secret: ['GET https://api.bitbar.com/v1/items?api_key=«{alnum:32}»'],
    clean: ["'bitbar' => ['key' => '{alnum:37}'],", "import { Bitbar } from 'bitbar'"],
  },
  'bitbucket-app-password': {
    secret: ['git push https://me:«ATBB{alnum:32}»@bitbucket.org/acme/shop.git'],
    clean: ['ATBB{alnum:8}'],
  },
  'bitbucket-client-id': {
    secret: ["'bitbucket' => ['key' => '«{alnum:32}»'],"],
    clean: ['client = Bitbucket(api_key="{alnum:37}")', 'bitbucket_token: changeme'],
  },
  'bitbucket-client-secret': {
    secret: ['<add key="bitbucketApiKey" value="«{word:64}»" />'],
    clean: [
      '      BITBUCKET_KEY: "{word:40}"',
      'Create a token in the settings of Bitbucket and keep it secret.',
    ],
  },
  'bitcoinaverage-api-key': {
    secret: ['client = Bitcoinaverage(api_key="«{alnum:43}»")'],
    clean: ['"bitcoinaverage_api_key": "{alnum:48}",', 'const key = process.env.BITCOINAVERAGE_KEY'],
  },
  'bitly-access-token': {
    secret: ['      BITLY_KEY: "«{lower:40}»"'],
    clean: ['BITLY_API_KEY={lower:38}', "import { Bitly } from 'bitly'"],
  },
  'bitrise-access-token': {
    secret: ['BITRISE_API_TOKEN=«bitpat_{alnum:52}»'],
    clean: ['bitpat_token_name'],
  },
  'bitrise-token-named': {
    secret: ['BITRISE_API_KEY=«{word:86}»'],
    clean: ['bitrise_token: {word:82}', 'bitrise_token: changeme'],
  },
  'bittrex-access-key': {
    secret: ['{"bittrex": {"apiKey": "«{lower:32}»"}}'],
    clean: [
      "const bittrexApiKey = '{lower:35}'",
      'Create a token in the settings of Bittrex and keep it secret.',
    ],
  },
  'bitwarden-access-token': {
    secret: ['bitwarden_token: 0.{uuid}.«{alnum:30}:{base64:22}==»'],
    clean: ['export BITWARDEN_TOKEN="0.{uuid}.{alnum:30}"', 'const key = process.env.BITWARDEN_KEY'],
  },
  'blazemeter-api-key': {
    secret: ["const blazemeterApiKey = '«{hex:24}»'", 'blazemeter_api_key = "«{hex:80}»"'],
    clean: ['blazemeter.api.key={hex:20}', "import { Blazemeter } from 'blazemeter'"],
  },
  'blitapp-api-key': {
    secret: ['export BLITAPP_TOKEN="«{word:39}»"'],
    clean: ['docker run -e BLITAPP_SECRET={word:35} app', 'BLITAPP_API_KEY=${BLITAPP_API_KEY}'],
  },
  'blocknative-api-key': {
    secret: ['blocknative.api.key=«{uuid}»'],
    clean: [
      'GET https://api.blocknative.com/v1/items?api_key={hex:8}-{hex:4}-{hex:4}-{hex:12}',
      'blocknative_token: changeme',
    ],
  },
  'blynk-device-access-token': {
    secret: ['docker run -e BLYNK_SECRET=«{word:32}» app'],
    clean: ['blynk_api_key = "{word:28}"', 'Create a token in the settings of Blynk and keep it secret.'],
  },
  'blynk-organization-access-token': {
    secret: ['GET https://api.blynk.com/v1/items?api_key=«{word:40}»'],
    clean: ["'blynk' => ['key' => '{word:36}'],", 'const key = process.env.BLYNK_KEY'],
  },
  'blynk-organization-client-credentials': {
    secret: ['Authorization: Bearer «oa2-client-id_{word:32}»'],
    clean: ['API_KEY=oa2-client-id_{word:28}'],
  },
  'boostnote-api-key': {
    secret: ["'boostnote' => ['key' => '«{lower:64}»'],"],
    clean: ['client = Boostnote(api_key="{lower:67}")', 'BOOSTNOTE_API_KEY=${BOOSTNOTE_API_KEY}'],
  },
  'borgbase-api-key': {
    secret: ['<add key="borgbaseApiKey" value="«{word:100}.{word:49}»" />'],
    clean: ['      BORGBASE_KEY: "{word:60}"', 'borgbase_token: changeme'],
  },
  'box-api-access-token': {
    secret: ['      BOX_CLIENT_KEY: "«{alnum:32}»"'],
    clean: [
      '"box_client_api_key": "{alnum:37}",',
      'Create a token in the settings of BoxClient and keep it secret.',
    ],
  },
  'braintree-access-token': {
    secret: ["gateway = braintree.connect({ accessToken: '«access_token$production${lower:16}${hex:32}»' })"],
    clean: ['access_token$sandbox${lower:16}'],
  },
  'braintrust-api-key': {
    secret: ['"braintrust_api_key": "«sk-{alnum:48}»",'],
    clean: ['{"braintrust": {"apiKey": "sk-{alnum:12}"}}', "import { Braintrust } from 'braintrust'"],
  },
  'brandfetch-api-key': {
    secret: ['BRANDFETCH_API_KEY=«{base64:43}=»', 'brandfetch.api.key=«{alnum:40}»'],
    clean: ['brandfetch_token: {alnum:30}', 'BRANDFETCH_API_KEY=${BRANDFETCH_API_KEY}'],
  },
  'brave-search-api-key': {
    secret: ["curl -H 'X-Subscription-Token: «BSA{word:28}»' https://api.search.brave.com/res/v1/web/search"],
    clean: ['BSA{alnum:12}', 'BSA_CERTIFIED = True'],
  },
  'browserbase-api-key': {
    secret: ['BROWSERBASE_API_KEY=«bb_live_{word:27}»'],
    clean: ['bb_live_{alnum:8}'],
  },
  'browserstack-access-key': {
    secret: ["const browserstackApiKey = '«{alnum:20}»'"],
    clean: ['browserstack.api.key={alnum:25}', 'const key = process.env.BROWSERSTACK_KEY'],
  },
  'browshot-api-key': {
    secret: ['export BROWSHOT_TOKEN="«{word:28}»"'],
    clean: ['docker run -e BROWSHOT_SECRET={word:24} app', "import { Browshot } from 'browshot'"],
  },
  'bscscan-api-key': {
    secret: ['bscscan.api.key=«{upper:34}»'],
    clean: ['GET https://api.bscscan.com/v1/items?api_key={upper:30}', 'BSCSCAN_API_KEY=${BSCSCAN_API_KEY}'],
  },
  'buddyns-api-key': {
    secret: ['docker run -e BUDDYNS_SECRET=«{lower:40}» app'],
    clean: ['buddyns_api_key = "{lower:38}"', 'buddyns_token: changeme'],
  },
  'budibase-api-key': {
    secret: ['GET https://api.budibase.com/v1/items?api_key=«{hex:32}-{hex:79}»'],
    clean: [
      "'budibase' => ['key' => '{hex:32}-{hex:40}'],",
      'Create a token in the settings of Budibase and keep it secret.',
    ],
  },
  'bugherd-api-key': {
    secret: ['bugherd_api_key = "«{lower:22}»"'],
    clean: ['<add key="bugherdApiKey" value="{lower:20}" />', 'const key = process.env.BUGHERD_KEY'],
  },
  'bugsnag-api-key': {
    secret: ["'bugsnag' => ['key' => '«{uuid}»'],", 'BUGSNAG_API_KEY=«{hex:32}»'],
    clean: ['client = Bugsnag(api_key="{hex:20}")', "import { Bugsnag } from 'bugsnag'"],
  },
  'buildkite-api-key': {
    secret: ['<add key="buildkiteApiKey" value="«{lower:40}»" />'],
    clean: ['      BUILDKITE_KEY: "{lower:38}"', 'BUILDKITE_API_KEY=${BUILDKITE_API_KEY}'],
  },
  'buildkite-service-token': {
    secret: ['buildkite-agent start --token «bkct_{alnum:60}»'],
    clean: ['bkct_{alnum:12}', 'bkaj_token_name'],
  },
  'buildkite-user-access-token': {
    secret: ['{"token":"«bkua_{word:40}»","scope":"all"}'],
    clean: ['[info] connecting with bkua_{word:36}, retrying'],
  },
  'bulbul-api-key': {
    secret: ['"bulbul_api_key": "«{lower:32}»",'],
    clean: ['{"bulbul": {"apiKey": "{lower:35}"}}', 'const key = process.env.BULBUL_KEY'],
  },
  'buttercms-api-key': {
    secret: ['BUTTERCMS_API_KEY=«{lower:40}»'],
    clean: ['buttercms_token: {lower:38}', "import { Buttercms } from 'buttercms'"],
  },
}
