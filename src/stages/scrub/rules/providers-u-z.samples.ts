import type { RuleSamples } from '../../../../test/support/secret-samples.ts'

export const samplesUZ: RuleSamples = {
  'ubidots-token': { ok: ['new Client("«BBFF-{alnum:30}»")'], bad: ['new Client("BBFF-{alnum:12}")'] },
  'uclassify-api-key': {
    ok: ['UCLASSIFY_API_KEY=«{alnum:12}»'],
    bad: ['UCLASSIFY_API_KEY={alnum:11}', 'const key = process.env.UCLASSIFY_API_KEY'],
  },
  'unkey-root-key': {
    ok: ['curl -u «unkey_{alnum:24}»: https://api.example.com'],
    bad: ['curl -u unkey_root_key: https://api.example.com'],
  },
  'unplugg-api-key': {
    ok: ['unplugg_api_key: «{lower:64}»'],
    bad: ['unplugg_api_key: {lower:63}', 'throw new Error("UNPLUGG_API_KEY is not set")'],
  },
  'unsplash-api-key': {
    ok: ["const unsplash_api_key = '«{word:43}»'"],
    bad: ["const unsplash_api_key = '{word:34}'", 'UNSPLASH_API_KEY=<your key>'],
  },
  'unstructured-api-key': {
    ok: ['export UNSTRUCTURED_API_KEY="«{alnum:30}»"'],
    bad: ['export UNSTRUCTURED_API_KEY="{alnum:29}"', 'unstructured_api_key: ${UNSTRUCTURED_API_KEY}'],
  },
  'upcdatabase-api-key': {
    ok: ['curl -H "upcdatabase-api-key: «{upper:32}»" https://api.example.com/v1'],
    bad: [
      'curl -H "upcdatabase-api-key: {upper:33}" https://api.example.com/v1',
      'const key = process.env.UPCDATABASE_API_KEY',
    ],
  },
  'upcloud-api-token': { ok: ['new Client("«ucat_{base32:26}»")'], bad: ['new Client("ucat_{base32:8}")'] },
  'uplead-api-key': {
    ok: ['uplead-api-key = "«{hex:32}»"'],
    bad: ['uplead-api-key = "{hex:33}"', 'throw new Error("UPLEAD_API_KEY is not set")'],
  },
  'uploadcare-secret-key': {
    ok: ['<add key="uploadcare_secret_key" value="«{hex:20}»" />'],
    bad: ['<add key="uploadcare_secret_key" value="{hex:19}" />', 'UPLOADCARE_SECRET_KEY=<your key>'],
  },
  'upstage-api-key': {
    ok: ['  - name: UPSTAGE_API_KEY     value: «up_{alnum:29}»'],
    bad: ['  - name: UPSTAGE_API_KEY     value: up_{alnum:30}', 'upstage_api_key: ${UPSTAGE_API_KEY}'],
  },
  'upstash-token': {
    ok: ['os.environ["UPSTASH_REDIS_REST_TOKEN"] = "«A{alnum:51}==»"'],
    bad: [
      'os.environ["UPSTASH_REDIS_REST_TOKEN"] = "{alnum:16}"',
      'const key = process.env.UPSTASH_REDIS_REST_TOKEN',
    ],
  },
  'uptimerobot-api-key': {
    ok: ['{\\"uptimerobot_api_key\\":\\"«u{digits:6}-{hex:24}»\\"}'],
    bad: [
      '{\\"uptimerobot_api_key\\":\\"u{digits:6}-{hex:12}\\"}',
      'uptimerobot_api_key is read from the vault',
    ],
  },
  'upwave-api-key': {
    ok: ['UPWAVE_API_KEY=«{hex:32}»'],
    bad: ['UPWAVE_API_KEY={hex:31}', 'throw new Error("UPWAVE_API_KEY is not set")'],
  },
  'urlscan-api-key': {
    ok: ['"urlscan_api_key": "«{uuid}»",'],
    bad: ['"urlscan_api_key": "{hex:36}",', 'URLSCAN_API_KEY=<your key>'],
  },
  'userflow-api-key': {
    ok: ['userflow_api_key: «ak_{lower:26}»'],
    bad: ['userflow_api_key: ak_{lower:8}', 'userflow_api_key: ${USERFLOW_API_KEY}'],
  },
  'userstack-api-key': {
    ok: ["const userstack_api_key = '«{hex:32}»'"],
    bad: ["const userstack_api_key = '{hex:33}'", 'const key = process.env.USERSTACK_API_KEY'],
  },
  'vagrant-cloud-personal-token': {
    ok: ['VAGRANT_CLOUD_TOKEN=«{alnum:14}.atlasv1.{word:67}»'],
    bad: ['{alnum:14}.atlasv1.{word:12}', 'VAGRANT_CLOUD_TOKEN=$(cat token)'],
  },
  'val-town-api-token': {
    ok: ['VAL_TOWN_API_TOKEN=«vtwn_{alnum:28}»'],
    bad: ['VAL_TOWN_API_TOKEN=vtwn_{alnum:6}'],
  },
  'vapi-api-key': {
    ok: ['ENV VAPI_PRIVATE_KEY «{uuid}»'],
    bad: ['ENV VAPI_PRIVATE_KEY {hex:36}', 'VAPI_PRIVATE_KEY=<your key>'],
  },
  'vatlayer-api-key': {
    ok: ['vatlayer-api-key = "«{hex:32}»"'],
    bad: ['vatlayer-api-key = "{hex:33}"', 'vatlayer_api_key: ${VATLAYER_API_KEY}'],
  },
  'vault-batch-token': { ok: ['new Client("«hvb.{word:160}»")'], bad: ['new Client("hvb.{word:12}")'] },
  'vault-recovery-token': { ok: ['key: «hvr.{word:90}» # rotate'], bad: ['key: hvr.{word:8} # rotate'] },
  'vault-service-token': {
    ok: ['curl -u «hvs.{word:95}»: https://api.example.com'],
    bad: ['curl -u hvs.{word:8}: https://api.example.com'],
  },
  'vault-service-token-legacy': {
    ok: ['{\\"vault_token\\":\\"«s.{alnum:24}»\\"}'],
    bad: ['{\\"vault_token\\":\\"s.{alnum:12}\\"}', 'VAULT_TOKEN=<your key>'],
  },
  'vbout-api-key': {
    ok: ['VBOUT_API_KEY=«{digits:25}»'],
    bad: ['VBOUT_API_KEY={digits:24}', 'vbout_api_key: ${VBOUT_API_KEY}'],
  },
  'vectara-api-key': {
    ok: ['Authorization: Bearer «zwt_{word:40}»'],
    bad: ['Authorization: Bearer zwt_{word:8}'],
  },
  'vercel-ai-gateway-key': { ok: ['{"token":"«vck_{alnum:56}»"}'], bad: ['{"token":"vck_{alnum:6}"}'] },
  'vercel-api-token': {
    ok: ["const vercel_api_token = '«{alnum:24}»'"],
    bad: ["const vercel_api_token = '{alnum:25}'", 'throw new Error("VERCEL_API_TOKEN is not set")'],
  },
  'vercel-app-access-token': { ok: ['key: «vca_{alnum:56}» # rotate'], bad: ['key: vca_{alnum:6} # rotate'] },
  'vercel-app-refresh-token': {
    ok: ['curl -u «vcr_{alnum:56}»: https://api.example.com'],
    bad: ['curl -u vcr_{alnum:6}: https://api.example.com'],
  },
  'vercel-integration-token': { ok: ['(using «vci_{alnum:56}»)'], bad: ['(using vci_{alnum:6})'] },
  'vercel-personal-access-token': {
    ok: ['VERCEL_PERSONAL_ACCESS_TOKEN=«vcp_{alnum:56}»'],
    bad: ['VERCEL_PERSONAL_ACCESS_TOKEN=vcp_{alnum:6}'],
  },
  'verimail-api-key': {
    ok: ['<add key="verimail_api_key" value="«{HEX:32}»" />'],
    bad: [
      '<add key="verimail_api_key" value="{HEX:31}" />',
      'throw new Error("VERIMAIL_API_KEY is not set")',
    ],
  },
  'veriphone-api-key': {
    ok: ['  - name: VERIPHONE_API_KEY     value: «{HEX:32}»'],
    bad: ['  - name: VERIPHONE_API_KEY     value: {HEX:33}', 'VERIPHONE_API_KEY=<your key>'],
  },
  'versioneye-api-key': {
    ok: ['os.environ["VERSIONEYE_API_KEY"] = "«{hex:20}»"'],
    bad: ['os.environ["VERSIONEYE_API_KEY"] = "{hex:19}"', 'versioneye_api_key: ${VERSIONEYE_API_KEY}'],
  },
  'viewneo-api-key': {
    ok: ['{\\"viewneo_api_key\\":\\"«eyJ{word:30}.eyJ{word:60}.{word:43}»\\"}'],
    bad: ['{\\"viewneo_api_key\\":\\"eyJ{word:30}.{digits:6}\\"}', 'const key = process.env.VIEWNEO_API_KEY'],
  },
  'virustotal-api-key': {
    ok: ['VIRUSTOTAL_API_KEY=«{hex:64}»'],
    bad: ['VIRUSTOTAL_API_KEY={hex:63}', 'virustotal_api_key is read from the vault'],
  },
  'visual-crossing-api-key': {
    ok: ['"visual_crossing_api_key": "«{upper:25}»",'],
    bad: [
      '"visual_crossing_api_key": "{upper:26}",',
      'throw new Error("VISUAL_CROSSING_API_KEY is not set")',
    ],
  },
  'voiceflow-api-key': {
    ok: ['VOICEFLOW_API_KEY=«VF.DM.{hex:24}.{alnum:16}»'],
    bad: ['VOICEFLOW_API_KEY=VF.DM.{hex:24}'],
  },
  'voicegain-api-key': {
    ok: ["const voicegain_api_key = '«eyJ{word:30}.eyJ{word:60}.{word:43}»'"],
    bad: ["const voicegain_api_key = 'eyJ{word:30}.{digits:6}'", 'voicegain_api_key: ${VOICEGAIN_API_KEY}'],
  },
  'vonage-api-secret': {
    ok: ['export VONAGE_API_SECRET="«{alnum:16}»"'],
    bad: ['export VONAGE_API_SECRET="{alnum:15}"', 'const key = process.env.VONAGE_API_SECRET'],
  },
  'voodoosms-api-key': {
    ok: ['curl -H "voodoosms-api-key: «{alnum:45}»" https://api.example.com/v1'],
    bad: [
      'curl -H "voodoosms-api-key: {alnum:46}" https://api.example.com/v1',
      'voodoosms_api_key is read from the vault',
    ],
  },
  'voyage-api-key': {
    ok: ['ENV VOYAGE_API_KEY «pa-{word:43}»'],
    bad: ['ENV VOYAGE_API_KEY pa-{word:12}', 'throw new Error("VOYAGE_API_KEY is not set")'],
  },
  'vpnapi-key': {
    ok: ['vpnapi-key = "«{hex:32}»"'],
    bad: ['vpnapi-key = "{hex:33}"', 'VPNAPI_KEY=<your key>'],
  },
  'vultr-api-key': {
    ok: ['<add key="vultr_api_key" value="«{upper:36}»" />'],
    bad: ['<add key="vultr_api_key" value="{upper:35}" />', 'vultr_api_key: ${VULTR_API_KEY}'],
  },
  'vyte-api-key': {
    ok: ['  - name: VYTE_API_KEY     value: «{lower:50}»'],
    bad: ['  - name: VYTE_API_KEY     value: {lower:51}', 'const key = process.env.VYTE_API_KEY'],
  },
  'wakatime-api-key': {
    ok: ['Authorization: Bearer «waka_{uuid}»'],
    bad: ['Authorization: Bearer waka_{hex:8}'],
  },
  'wakatime-api-key-legacy': {
    ok: ['{\\"wakatime_api_key\\":\\"«{uuid}»\\"}'],
    bad: ['{\\"wakatime_api_key\\":\\"{hex:36}\\"}', 'throw new Error("WAKATIME_API_KEY is not set")'],
  },
  'walkscore-api-key': {
    ok: ['WALKSCORE_API_KEY=«{hex:32}»'],
    bad: ['WALKSCORE_API_KEY={hex:31}', 'WALKSCORE_API_KEY=<your key>'],
  },
  'weatherbit-api-key': {
    ok: ['"weatherbit_api_key": "«{hex:32}»",'],
    bad: ['"weatherbit_api_key": "{hex:33}",', 'weatherbit_api_key: ${WEATHERBIT_API_KEY}'],
  },
  'weatherstack-api-key': {
    ok: ['weatherstack_api_key: «{hex:32}»'],
    bad: ['weatherstack_api_key: {hex:31}', 'const key = process.env.WEATHERSTACK_API_KEY'],
  },
  'weaviate-api-key': {
    ok: ["const weaviate_api_key = '«{alnum:36}»'"],
    bad: ["const weaviate_api_key = '{alnum:20}'", 'weaviate_api_key is read from the vault'],
  },
  'web3-storage-api-key': {
    ok: ['export WEB3_STORAGE_API_KEY="«eyJ{word:30}.eyJ{word:60}.{word:43}»"'],
    bad: [
      'export WEB3_STORAGE_API_KEY="eyJ{word:30}.{digits:6}"',
      'throw new Error("WEB3_STORAGE_API_KEY is not set")',
    ],
  },
  'webex-access-token': {
    ok: ['curl -H "webex-access-token: «{alnum:64}_PF84_{uuid}»" https://api.example.com/v1'],
    bad: [
      'curl -H "webex-access-token: {alnum:20}_PF84_{uuid}" https://api.example.com/v1',
      'WEBEX_ACCESS_TOKEN=<your key>',
    ],
  },
  'webflow-api-key': {
    ok: ['ENV WEBFLOW_API_KEY «{hex:64}»'],
    bad: ['ENV WEBFLOW_API_KEY {hex:63}', 'webflow_api_key: ${WEBFLOW_API_KEY}'],
  },
  'webscraper-api-key': {
    ok: ['webscraper-api-key = "«{alnum:60}»"'],
    bad: ['webscraper-api-key = "{alnum:61}"', 'const key = process.env.WEBSCRAPER_API_KEY'],
  },
  'webscraping-api-key': {
    ok: ['<add key="webscraping_api_key" value="«{alnum:32}»" />'],
    bad: [
      '<add key="webscraping_api_key" value="{alnum:31}" />',
      'webscraping_api_key is read from the vault',
    ],
  },
  'wechat-app-secret': {
    ok: ['  - name: WECHAT_APP_SECRET     value: «{hex:32}»'],
    bad: [
      '  - name: WECHAT_APP_SECRET     value: {hex:33}',
      'throw new Error("WECHAT_APP_SECRET is not set")',
    ],
  },
  'weights-and-biases-api-key': {
    ok: ['os.environ["WANDB_API_KEY"] = "«{hex:40}»"'],
    bad: ['os.environ["WANDB_API_KEY"] = "{hex:39}"', 'WANDB_API_KEY=<your key>'],
  },
  'weights-and-biases-api-key-v1': {
    ok: ['WEIGHTS_AND_BIASES_API_KEY_V1=«wandb_v1_{alnum:30}_{alnum:46}»'],
    bad: ['WEIGHTS_AND_BIASES_API_KEY_V1=wandb_v1_{alnum:12}'],
  },
  'whoxy-api-key': {
    ok: ['WHOXY_API_KEY=«{lower:33}»'],
    bad: ['WHOXY_API_KEY={lower:30}', 'const key = process.env.WHOXY_API_KEY'],
  },
  'wireguard-preshared-key': {
    ok: ['"presharedkey_api_key": "«{base64:42}w=»",'],
    bad: ['"presharedkey_api_key": "{base64:30}w=",', 'presharedkey_api_key is read from the vault'],
  },
  'wireguard-private-key': {
    ok: ['privatekey_api_key: «{base64:42}w=»'],
    bad: ['privatekey_api_key: {base64:30}w=', 'throw new Error("PRIVATEKEY_API_KEY is not set")'],
  },
  'wistia-api-key': {
    ok: ["const wistia_api_key = '«{hex:64}»'"],
    bad: ["const wistia_api_key = '{hex:65}'", 'WISTIA_API_KEY=<your key>'],
  },
  'wit-ai-token': {
    ok: ['export WIT_AI_TOKEN="«{base32:32}»"'],
    bad: ['export WIT_AI_TOKEN="{base32:31}"', 'wit_ai_token: ${WIT_AI_TOKEN}'],
  },
  'woocommerce-api-key': { ok: ['(using «cs_{hex:40}»)'], bad: ['(using cs_{hex:41})'] },
  'workato-developer-api-token': {
    ok: ['WORKATO_DEVELOPER_API_TOKEN=«wrkaus-eyJ{word:30}.eyJ{word:60}.{word:43}»'],
    bad: ['WORKATO_DEVELOPER_API_TOKEN=wrkaus-api'],
  },
  'workos-production-api-key': {
    ok: ['Authorization: Bearer «sk_a2V5Xz{alnum:70}»'],
    bad: ['Authorization: Bearer sk_a2V5Xz{alnum:10}'],
  },
  'worksnaps-api-key': {
    ok: ['<add key="worksnaps_api_key" value="«{alnum:40}»" />'],
    bad: ['<add key="worksnaps_api_key" value="{alnum:39}" />', 'WORKSNAPS_API_KEY=<your key>'],
  },
  'workstack-api-key': {
    ok: ['  - name: WORKSTACK_API_KEY     value: «{alnum:60}»'],
    bad: ['  - name: WORKSTACK_API_KEY     value: {alnum:61}', 'workstack_api_key: ${WORKSTACK_API_KEY}'],
  },
  'worldcoinindex-api-key': {
    ok: ['os.environ["WORLDCOININDEX_API_KEY"] = "«{alnum:35}»"'],
    bad: [
      'os.environ["WORLDCOININDEX_API_KEY"] = "{alnum:34}"',
      'const key = process.env.WORLDCOININDEX_API_KEY',
    ],
  },
  'worldweather-api-key': {
    ok: ['{\\"worldweather_api_key\\":\\"«{lower:31}»\\"}'],
    bad: ['{\\"worldweather_api_key\\":\\"{lower:32}\\"}', 'worldweather_api_key is read from the vault'],
  },
  'wrike-api-key': {
    ok: ['WRIKE_API_KEY=«eyJ{word:140}.{word:180}»'],
    bad: ['WRIKE_API_KEY=eyJ{word:20}', 'throw new Error("WRIKE_API_KEY is not set")'],
  },
  'xai-api-key': { ok: ['XAI_API_KEY=«xai-{alnum:80}»'], bad: ['XAI_API_KEY=xai-grok-{alnum:6}'] },
  'xata-api-key': {
    ok: ['Authorization: Bearer «xau_{alnum:38}»'],
    bad: ['Authorization: Bearer xau_{alnum:6}'],
  },
  'xendit-api-key': {
    ok: ['{"token":"«xnd_production_{alnum:56}»"}'],
    bad: ['{"token":"xnd_production_key"}'],
  },
  'yandex-access-token': {
    ok: ['new Client("«t1.{word:60}.{word:86}»")'],
    bad: ['new Client("t1.{word:60}")'],
  },
  'yandex-api-key': { ok: ['key: «AQVN{word:36}» # rotate'], bad: ['key: AQVN{word:12} # rotate'] },
  'yandex-aws-access-token': {
    ok: ['ENV YANDEX_AWS_SECRET_KEY «YC{word:38}»'],
    bad: ['ENV YANDEX_AWS_SECRET_KEY YC{word:12}', 'YANDEX_AWS_SECRET_KEY=<your key>'],
  },
  'yandex-oauth-token': { ok: ['(using «y0_{word:55}»)'], bad: ['(using y0_{word:12})'] },
  'yelp-api-key': {
    ok: ['<add key="yelp_api_key" value="«{word:128}»" />'],
    bad: ['<add key="yelp_api_key" value="{word:119}" />', 'const key = process.env.YELP_API_KEY'],
  },
  'you-com-api-key': {
    ok: ['Authorization: Bearer «ydc-sk-{hex:16}-{alnum:32}»'],
    bad: ['Authorization: Bearer ydc-sk-{alnum:4}'],
  },
  'youneedabudget-api-key': {
    ok: ['os.environ["YNAB_ACCESS_TOKEN"] = "«{word:43}»"'],
    bad: ['os.environ["YNAB_ACCESS_TOKEN"] = "{word:34}"', 'throw new Error("YNAB_ACCESS_TOKEN is not set")'],
  },
  'yousign-api-key': {
    ok: ['{\\"yousign_api_key\\":\\"«{alnum:32}»\\"}'],
    bad: ['{\\"yousign_api_key\\":\\"{alnum:33}\\"}', 'YOUSIGN_API_KEY=<your key>'],
  },
  'zai-api-key': {
    ok: ['ZAI_API_KEY=«{hex:32}.{alnum:16}»'],
    bad: ['ZAI_API_KEY={hex:32}.{alnum:8}', 'zai_api_key: ${ZAI_API_KEY}'],
  },
  'zapier-webhook-url': {
    ok: ['"webhook": "https://hooks.zapier.com/hooks/catch/«{digits:7}/{lower:7}»/"'],
    bad: ['https://hooks.zapier.com/hooks/catch/', 'https://zapier.com/hooks/catch/{digits:7}/{lower:7}'],
  },
  'zendesk-secret-key': {
    ok: ['zendesk_secret_key: «{alnum:40}»'],
    bad: ['zendesk_secret_key: {alnum:39}', 'zendesk_secret_key is read from the vault'],
  },
  'zenkit-api-key': {
    ok: ["const zenkit_api_key = '«{lower:8}-{alnum:32}»'"],
    bad: ["const zenkit_api_key = '{lower:8}-{alnum:33}'", 'throw new Error("ZENKIT_API_KEY is not set")'],
  },
  'zenrows-api-key': {
    ok: ['export ZENROWS_API_KEY="«{hex:40}»"'],
    bad: ['export ZENROWS_API_KEY="{hex:39}"', 'ZENROWS_API_KEY=<your key>'],
  },
  'zenscrape-api-key': {
    ok: ['curl -H "zenscrape-api-key: «{uuid}»" https://api.example.com/v1'],
    bad: [
      'curl -H "zenscrape-api-key: {hex:36}" https://api.example.com/v1',
      'zenscrape_api_key: ${ZENSCRAPE_API_KEY}',
    ],
  },
  'zeplin-api-key': {
    ok: ['ENV ZEPLIN_API_KEY «eyJ{word:30}.eyJ{word:60}.{word:43}»'],
    bad: ['ENV ZEPLIN_API_KEY eyJ{word:30}.{digits:6}', 'const key = process.env.ZEPLIN_API_KEY'],
  },
  'zeptomail-api-key': {
    ok: ['key: «Zoho-enczapikey {alnum:140}==» # rotate'],
    bad: ['key: Zoho-enczapikey TOKEN # rotate'],
  },
  'zerobounce-api-key': {
    ok: ['<add key="zerobounce_api_key" value="«{hex:32}»" />'],
    bad: [
      '<add key="zerobounce_api_key" value="{hex:31}" />',
      'throw new Error("ZEROBOUNCE_API_KEY is not set")',
    ],
  },
  'zerotier-api-key': {
    ok: ['  - name: ZEROTIER_TOKEN     value: «{alnum:32}»'],
    bad: ['  - name: ZEROTIER_TOKEN     value: {alnum:33}', 'ZEROTIER_TOKEN=<your key>'],
  },
  'zilliz-api-key': {
    ok: ['os.environ["ZILLIZ_API_KEY"] = "«{hex:72}»"'],
    bad: ['os.environ["ZILLIZ_API_KEY"] = "{hex:71}"', 'zilliz_api_key: ${ZILLIZ_API_KEY}'],
  },
  'zipcodeapi-key': {
    ok: ['{\\"zipcodeapi_key\\":\\"«{alnum:64}»\\"}'],
    bad: ['{\\"zipcodeapi_key\\":\\"{alnum:65}\\"}', 'const key = process.env.ZIPCODEAPI_KEY'],
  },
  'zipcodebase-api-key': {
    ok: ['ZIPCODEBASE_API_KEY=«{uuid}»'],
    bad: ['ZIPCODEBASE_API_KEY={hex:36}', 'zipcodebase_api_key is read from the vault'],
  },
  'zoho-crm-api-access-token': {
    ok: ['new Client("«1000.{hex:32}.{hex:32}»")'],
    bad: ['new Client("1000.{hex:32}")'],
  },
  'zonkafeedback-api-token': {
    ok: ['zonkafeedback_api_token: «{alnum:36}»'],
    bad: ['zonkafeedback_api_token: {alnum:35}', 'ZONKAFEEDBACK_API_TOKEN=<your key>'],
  },
  'zoom-client-secret': {
    ok: ["const zoom_client_secret = '«{alnum:32}»'"],
    bad: ["const zoom_client_secret = '{alnum:33}'", 'zoom_client_secret: ${ZOOM_CLIENT_SECRET}'],
  },
  'zulip-api-key': {
    ok: ['export ZULIP_API_KEY="«{alnum:32}»"'],
    bad: ['export ZULIP_API_KEY="{alnum:31}"', 'const key = process.env.ZULIP_API_KEY'],
  },
  'zuplo-consumer-api-key': {
    ok: ['ZUPLO_CONSUMER_API_KEY=«zpka_{hex:32}_{hex:8}»'],
    bad: ['ZUPLO_CONSUMER_API_KEY=zpka_{hex:32}'],
  },
}
