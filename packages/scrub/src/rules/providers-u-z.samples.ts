import type { RuleSamples } from '@contextd/shared/testing/secret-samples'

export const samplesUZ: RuleSamples = {
  'ubidots-token': { secret: ['new Client("«BBFF-{alnum:30}»")'], clean: ['new Client("BBFF-{alnum:12}")'] },
  'uclassify-api-key': {
    secret: ['UCLASSIFY_API_KEY=«{alnum:12}»'],
    clean: ['UCLASSIFY_API_KEY={alnum:11}', 'const key = process.env.UCLASSIFY_API_KEY'],
  },
  'unkey-root-key': {
    secret: ['curl -u «unkey_{alnum:24}»: https://api.example.com'],
    clean: ['curl -u unkey_root_key: https://api.example.com'],
  },
  'unplugg-api-key': {
    secret: ['unplugg_api_key: «{lower:64}»'],
    clean: ['unplugg_api_key: {lower:63}', 'throw new Error("UNPLUGG_API_KEY is not set")'],
  },
  'unsplash-api-key': {
    secret: ["const unsplash_api_key = '«{word:43}»'"],
    clean: ["const unsplash_api_key = '{word:34}'", 'UNSPLASH_API_KEY=<your key>'],
  },
  'unstructured-api-key': {
    secret: ['export UNSTRUCTURED_API_KEY="«{alnum:30}»"'],
    clean: ['export UNSTRUCTURED_API_KEY="{alnum:29}"', 'unstructured_api_key: ${UNSTRUCTURED_API_KEY}'],
  },
  'upcdatabase-api-key': {
    secret: ['curl -H "upcdatabase-api-key: «{upper:32}»" https://api.example.com/v1'],
    clean: [
      'curl -H "upcdatabase-api-key: {upper:33}" https://api.example.com/v1',
      'const key = process.env.UPCDATABASE_API_KEY',
    ],
  },
  'upcloud-api-token': {
    secret: ['new Client("«ucat_{base32:26}»")'],
    clean: ['new Client("ucat_{base32:8}")'],
  },
  'uplead-api-key': {
    secret: ['uplead-api-key = "«{hex:32}»"'],
    clean: ['uplead-api-key = "{hex:33}"', 'throw new Error("UPLEAD_API_KEY is not set")'],
  },
  'uploadcare-secret-key': {
    secret: ['<add key="uploadcare_secret_key" value="«{hex:20}»" />'],
    clean: ['<add key="uploadcare_secret_key" value="{hex:19}" />', 'UPLOADCARE_SECRET_KEY=<your key>'],
  },
  'upstage-api-key': {
    secret: ['  - name: UPSTAGE_API_KEY     value: «up_{alnum:29}»'],
    clean: ['  - name: UPSTAGE_API_KEY     value: up_{alnum:30}', 'upstage_api_key: ${UPSTAGE_API_KEY}'],
  },
  'upstash-token': {
    secret: ['os.environ["UPSTASH_REDIS_REST_TOKEN"] = "«A{alnum:51}==»"'],
    clean: [
      'os.environ["UPSTASH_REDIS_REST_TOKEN"] = "{alnum:16}"',
      'const key = process.env.UPSTASH_REDIS_REST_TOKEN',
    ],
  },
  'uptimerobot-api-key': {
    secret: ['{\\"uptimerobot_api_key\\":\\"«u{digits:6}-{hex:24}»\\"}'],
    clean: [
      '{\\"uptimerobot_api_key\\":\\"u{digits:6}-{hex:12}\\"}',
      'uptimerobot_api_key is read from the vault',
    ],
  },
  'upwave-api-key': {
    secret: ['UPWAVE_API_KEY=«{hex:32}»'],
    clean: ['UPWAVE_API_KEY={hex:31}', 'throw new Error("UPWAVE_API_KEY is not set")'],
  },
  'urlscan-api-key': {
    secret: ['"urlscan_api_key": "«{uuid}»",'],
    clean: ['"urlscan_api_key": "{hex:36}",', 'URLSCAN_API_KEY=<your key>'],
  },
  'userflow-api-key': {
    secret: ['userflow_api_key: «ak_{lower:26}»'],
    clean: ['userflow_api_key: ak_{lower:8}', 'userflow_api_key: ${USERFLOW_API_KEY}'],
  },
  'userstack-api-key': {
    secret: ["const userstack_api_key = '«{hex:32}»'"],
    clean: ["const userstack_api_key = '{hex:33}'", 'const key = process.env.USERSTACK_API_KEY'],
  },
  'vagrant-cloud-personal-token': {
    secret: ['VAGRANT_CLOUD_TOKEN=«{alnum:14}.atlasv1.{word:67}»'],
    clean: ['{alnum:14}.atlasv1.{word:12}', 'VAGRANT_CLOUD_TOKEN=$(cat token)'],
  },
  'val-town-api-token': {
    secret: ['VAL_TOWN_API_TOKEN=«vtwn_{alnum:28}»'],
    clean: ['VAL_TOWN_API_TOKEN=vtwn_{alnum:6}'],
  },
  'vapi-api-key': {
    secret: ['ENV VAPI_PRIVATE_KEY «{uuid}»'],
    clean: ['ENV VAPI_PRIVATE_KEY {hex:36}', 'VAPI_PRIVATE_KEY=<your key>'],
  },
  'vatlayer-api-key': {
    secret: ['vatlayer-api-key = "«{hex:32}»"'],
    clean: ['vatlayer-api-key = "{hex:33}"', 'vatlayer_api_key: ${VATLAYER_API_KEY}'],
  },
  'vault-batch-token': { secret: ['new Client("«hvb.{word:160}»")'], clean: ['new Client("hvb.{word:12}")'] },
  'vault-recovery-token': {
    secret: ['key: «hvr.{word:90}» # rotate'],
    clean: ['key: hvr.{word:8} # rotate'],
  },
  'vault-service-token': {
    secret: ['curl -u «hvs.{word:95}»: https://api.example.com'],
    clean: ['curl -u hvs.{word:8}: https://api.example.com'],
  },
  'vault-service-token-legacy': {
    secret: ['{\\"vault_token\\":\\"«s.{alnum:24}»\\"}'],
    clean: ['{\\"vault_token\\":\\"s.{alnum:12}\\"}', 'VAULT_TOKEN=<your key>'],
  },
  'vbout-api-key': {
    secret: ['VBOUT_API_KEY=«{digits:25}»'],
    clean: ['VBOUT_API_KEY={digits:24}', 'vbout_api_key: ${VBOUT_API_KEY}'],
  },
  'vectara-api-key': {
    secret: ['Authorization: Bearer «zwt_{word:40}»'],
    clean: ['Authorization: Bearer zwt_{word:8}'],
  },
  'vercel-ai-gateway-key': { secret: ['{"token":"«vck_{alnum:56}»"}'], clean: ['{"token":"vck_{alnum:6}"}'] },
  'vercel-api-token': {
    secret: ["const vercel_api_token = '«{alnum:24}»'"],
    clean: ["const vercel_api_token = '{alnum:25}'", 'throw new Error("VERCEL_API_TOKEN is not set")'],
  },
  'vercel-app-access-token': {
    secret: ['key: «vca_{alnum:56}» # rotate'],
    clean: ['key: vca_{alnum:6} # rotate'],
  },
  'vercel-app-refresh-token': {
    secret: ['curl -u «vcr_{alnum:56}»: https://api.example.com'],
    clean: ['curl -u vcr_{alnum:6}: https://api.example.com'],
  },
  'vercel-integration-token': { secret: ['(using «vci_{alnum:56}»)'], clean: ['(using vci_{alnum:6})'] },
  'vercel-personal-access-token': {
    secret: ['VERCEL_PERSONAL_ACCESS_TOKEN=«vcp_{alnum:56}»'],
    clean: ['VERCEL_PERSONAL_ACCESS_TOKEN=vcp_{alnum:6}'],
  },
  'verimail-api-key': {
    secret: ['<add key="verimail_api_key" value="«{HEX:32}»" />'],
    clean: [
      '<add key="verimail_api_key" value="{HEX:31}" />',
      'throw new Error("VERIMAIL_API_KEY is not set")',
    ],
  },
  'veriphone-api-key': {
    secret: ['  - name: VERIPHONE_API_KEY     value: «{HEX:32}»'],
    clean: ['  - name: VERIPHONE_API_KEY     value: {HEX:33}', 'VERIPHONE_API_KEY=<your key>'],
  },
  'versioneye-api-key': {
    secret: ['os.environ["VERSIONEYE_API_KEY"] = "«{hex:20}»"'],
    clean: ['os.environ["VERSIONEYE_API_KEY"] = "{hex:19}"', 'versioneye_api_key: ${VERSIONEYE_API_KEY}'],
  },
  'viewneo-api-key': {
    secret: ['{\\"viewneo_api_key\\":\\"«eyJ{word:30}.eyJ{word:60}.{word:43}»\\"}'],
    clean: [
      '{\\"viewneo_api_key\\":\\"eyJ{word:30}.{digits:6}\\"}',
      'const key = process.env.VIEWNEO_API_KEY',
    ],
  },
  'virustotal-api-key': {
    secret: ['VIRUSTOTAL_API_KEY=«{hex:64}»'],
    clean: ['VIRUSTOTAL_API_KEY={hex:63}', 'virustotal_api_key is read from the vault'],
  },
  'visual-crossing-api-key': {
    secret: ['"visual_crossing_api_key": "«{upper:25}»",'],
    clean: [
      '"visual_crossing_api_key": "{upper:26}",',
      'throw new Error("VISUAL_CROSSING_API_KEY is not set")',
    ],
  },
  'voiceflow-api-key': {
    secret: ['VOICEFLOW_API_KEY=«VF.DM.{hex:24}.{alnum:16}»'],
    clean: ['VOICEFLOW_API_KEY=VF.DM.{hex:24}'],
  },
  'voicegain-api-key': {
    secret: ["const voicegain_api_key = '«eyJ{word:30}.eyJ{word:60}.{word:43}»'"],
    clean: ["const voicegain_api_key = 'eyJ{word:30}.{digits:6}'", 'voicegain_api_key: ${VOICEGAIN_API_KEY}'],
  },
  'vonage-api-secret': {
    secret: ['export VONAGE_API_SECRET="«{alnum:16}»"'],
    clean: ['export VONAGE_API_SECRET="{alnum:15}"', 'const key = process.env.VONAGE_API_SECRET'],
  },
  'voodoosms-api-key': {
    secret: ['curl -H "voodoosms-api-key: «{alnum:45}»" https://api.example.com/v1'],
    clean: [
      'curl -H "voodoosms-api-key: {alnum:46}" https://api.example.com/v1',
      'voodoosms_api_key is read from the vault',
    ],
  },
  'voyage-api-key': {
    secret: ['ENV VOYAGE_API_KEY «pa-{word:43}»'],
    clean: ['ENV VOYAGE_API_KEY pa-{word:12}', 'throw new Error("VOYAGE_API_KEY is not set")'],
  },
  'vpnapi-key': {
    secret: ['vpnapi-key = "«{hex:32}»"'],
    clean: ['vpnapi-key = "{hex:33}"', 'VPNAPI_KEY=<your key>'],
  },
  'vultr-api-key': {
    secret: ['<add key="vultr_api_key" value="«{upper:36}»" />'],
    clean: ['<add key="vultr_api_key" value="{upper:35}" />', 'vultr_api_key: ${VULTR_API_KEY}'],
  },
  'vyte-api-key': {
    secret: ['  - name: VYTE_API_KEY     value: «{lower:50}»'],
    clean: ['  - name: VYTE_API_KEY     value: {lower:51}', 'const key = process.env.VYTE_API_KEY'],
  },
  'wakatime-api-key': {
    secret: ['Authorization: Bearer «waka_{uuid}»'],
    clean: ['Authorization: Bearer waka_{hex:8}'],
  },
  'wakatime-api-key-legacy': {
    secret: ['{\\"wakatime_api_key\\":\\"«{uuid}»\\"}'],
    clean: ['{\\"wakatime_api_key\\":\\"{hex:36}\\"}', 'throw new Error("WAKATIME_API_KEY is not set")'],
  },
  'walkscore-api-key': {
    secret: ['WALKSCORE_API_KEY=«{hex:32}»'],
    clean: ['WALKSCORE_API_KEY={hex:31}', 'WALKSCORE_API_KEY=<your key>'],
  },
  'weatherbit-api-key': {
    secret: ['"weatherbit_api_key": "«{hex:32}»",'],
    clean: ['"weatherbit_api_key": "{hex:33}",', 'weatherbit_api_key: ${WEATHERBIT_API_KEY}'],
  },
  'weatherstack-api-key': {
    secret: ['weatherstack_api_key: «{hex:32}»'],
    clean: ['weatherstack_api_key: {hex:31}', 'const key = process.env.WEATHERSTACK_API_KEY'],
  },
  'weaviate-api-key': {
    secret: ["const weaviate_api_key = '«{alnum:36}»'"],
    clean: ["const weaviate_api_key = '{alnum:20}'", 'weaviate_api_key is read from the vault'],
  },
  'web3-storage-api-key': {
    secret: ['export WEB3_STORAGE_API_KEY="«eyJ{word:30}.eyJ{word:60}.{word:43}»"'],
    clean: [
      'export WEB3_STORAGE_API_KEY="eyJ{word:30}.{digits:6}"',
      'throw new Error("WEB3_STORAGE_API_KEY is not set")',
    ],
  },
  'webex-access-token': {
    secret: ['curl -H "webex-access-token: «{alnum:64}_PF84_{uuid}»" https://api.example.com/v1'],
    clean: [
      'curl -H "webex-access-token: {alnum:20}_PF84_{uuid}" https://api.example.com/v1',
      'WEBEX_ACCESS_TOKEN=<your key>',
    ],
  },
  'webflow-api-key': {
    secret: ['ENV WEBFLOW_API_KEY «{hex:64}»'],
    clean: ['ENV WEBFLOW_API_KEY {hex:63}', 'webflow_api_key: ${WEBFLOW_API_KEY}'],
  },
  'webscraper-api-key': {
    secret: ['webscraper-api-key = "«{alnum:60}»"'],
    clean: ['webscraper-api-key = "{alnum:61}"', 'const key = process.env.WEBSCRAPER_API_KEY'],
  },
  'webscraping-api-key': {
    secret: ['<add key="webscraping_api_key" value="«{alnum:32}»" />'],
    clean: [
      '<add key="webscraping_api_key" value="{alnum:31}" />',
      'webscraping_api_key is read from the vault',
    ],
  },
  'wechat-app-secret': {
    secret: ['  - name: WECHAT_APP_SECRET     value: «{hex:32}»'],
    clean: [
      '  - name: WECHAT_APP_SECRET     value: {hex:33}',
      'throw new Error("WECHAT_APP_SECRET is not set")',
    ],
  },
  'weights-and-biases-api-key': {
    secret: ['os.environ["WANDB_API_KEY"] = "«{hex:40}»"'],
    clean: ['os.environ["WANDB_API_KEY"] = "{hex:39}"', 'WANDB_API_KEY=<your key>'],
  },
  'weights-and-biases-api-key-v1': {
    secret: ['WEIGHTS_AND_BIASES_API_KEY_V1=«wandb_v1_{alnum:30}_{alnum:46}»'],
    clean: ['WEIGHTS_AND_BIASES_API_KEY_V1=wandb_v1_{alnum:12}'],
  },
  'whoxy-api-key': {
    secret: ['WHOXY_API_KEY=«{lower:33}»'],
    clean: ['WHOXY_API_KEY={lower:30}', 'const key = process.env.WHOXY_API_KEY'],
  },
  'wireguard-preshared-key': {
    secret: ['"presharedkey_api_key": "«{base64:42}w=»",'],
    clean: ['"presharedkey_api_key": "{base64:30}w=",', 'presharedkey_api_key is read from the vault'],
  },
  'wireguard-private-key': {
    secret: ['privatekey_api_key: «{base64:42}w=»'],
    clean: ['privatekey_api_key: {base64:30}w=', 'throw new Error("PRIVATEKEY_API_KEY is not set")'],
  },
  'wistia-api-key': {
    secret: ["const wistia_api_key = '«{hex:64}»'"],
    clean: ["const wistia_api_key = '{hex:65}'", 'WISTIA_API_KEY=<your key>'],
  },
  'wit-ai-token': {
    secret: ['export WIT_AI_TOKEN="«{base32:32}»"'],
    clean: ['export WIT_AI_TOKEN="{base32:31}"', 'wit_ai_token: ${WIT_AI_TOKEN}'],
  },
  'woocommerce-api-key': { secret: ['(using «cs_{hex:40}»)'], clean: ['(using cs_{hex:41})'] },
  'workato-developer-api-token': {
    secret: ['WORKATO_DEVELOPER_API_TOKEN=«wrkaus-eyJ{word:30}.eyJ{word:60}.{word:43}»'],
    clean: ['WORKATO_DEVELOPER_API_TOKEN=wrkaus-api'],
  },
  'workos-production-api-key': {
    secret: ['Authorization: Bearer «sk_a2V5Xz{alnum:70}»'],
    clean: ['Authorization: Bearer sk_a2V5Xz{alnum:10}'],
  },
  'worksnaps-api-key': {
    secret: ['<add key="worksnaps_api_key" value="«{alnum:40}»" />'],
    clean: ['<add key="worksnaps_api_key" value="{alnum:39}" />', 'WORKSNAPS_API_KEY=<your key>'],
  },
  'workstack-api-key': {
    secret: ['  - name: WORKSTACK_API_KEY     value: «{alnum:60}»'],
    clean: ['  - name: WORKSTACK_API_KEY     value: {alnum:61}', 'workstack_api_key: ${WORKSTACK_API_KEY}'],
  },
  'worldcoinindex-api-key': {
    secret: ['os.environ["WORLDCOININDEX_API_KEY"] = "«{alnum:35}»"'],
    clean: [
      'os.environ["WORLDCOININDEX_API_KEY"] = "{alnum:34}"',
      'const key = process.env.WORLDCOININDEX_API_KEY',
    ],
  },
  'worldweather-api-key': {
    secret: ['{\\"worldweather_api_key\\":\\"«{lower:31}»\\"}'],
    clean: ['{\\"worldweather_api_key\\":\\"{lower:32}\\"}', 'worldweather_api_key is read from the vault'],
  },
  'wrike-api-key': {
    secret: ['WRIKE_API_KEY=«eyJ{word:140}.{word:180}»'],
    clean: ['WRIKE_API_KEY=eyJ{word:20}', 'throw new Error("WRIKE_API_KEY is not set")'],
  },
  'xai-api-key': { secret: ['XAI_API_KEY=«xai-{alnum:80}»'], clean: ['XAI_API_KEY=xai-grok-{alnum:6}'] },
  'xata-api-key': {
    secret: ['Authorization: Bearer «xau_{alnum:38}»'],
    clean: ['Authorization: Bearer xau_{alnum:6}'],
  },
  'xendit-api-key': {
    secret: ['{"token":"«xnd_production_{alnum:56}»"}'],
    clean: ['{"token":"xnd_production_key"}'],
  },
  'yandex-access-token': {
    secret: ['new Client("«t1.{word:60}.{word:86}»")'],
    clean: ['new Client("t1.{word:60}")'],
  },
  'yandex-api-key': { secret: ['key: «AQVN{word:36}» # rotate'], clean: ['key: AQVN{word:12} # rotate'] },
  'yandex-aws-access-token': {
    secret: ['ENV YANDEX_AWS_SECRET_KEY «YC{word:38}»'],
    clean: ['ENV YANDEX_AWS_SECRET_KEY YC{word:12}', 'YANDEX_AWS_SECRET_KEY=<your key>'],
  },
  'yandex-oauth-token': { secret: ['(using «y0_{word:55}»)'], clean: ['(using y0_{word:12})'] },
  'yelp-api-key': {
    secret: ['<add key="yelp_api_key" value="«{word:128}»" />'],
    clean: ['<add key="yelp_api_key" value="{word:119}" />', 'const key = process.env.YELP_API_KEY'],
  },
  'you-com-api-key': {
    secret: ['Authorization: Bearer «ydc-sk-{hex:16}-{alnum:32}»'],
    clean: ['Authorization: Bearer ydc-sk-{alnum:4}'],
  },
  'youneedabudget-api-key': {
    secret: ['os.environ["YNAB_ACCESS_TOKEN"] = "«{word:43}»"'],
    clean: [
      'os.environ["YNAB_ACCESS_TOKEN"] = "{word:34}"',
      'throw new Error("YNAB_ACCESS_TOKEN is not set")',
    ],
  },
  'yousign-api-key': {
    secret: ['{\\"yousign_api_key\\":\\"«{alnum:32}»\\"}'],
    clean: ['{\\"yousign_api_key\\":\\"{alnum:33}\\"}', 'YOUSIGN_API_KEY=<your key>'],
  },
  'zai-api-key': {
    secret: ['ZAI_API_KEY=«{hex:32}.{alnum:16}»'],
    clean: ['ZAI_API_KEY={hex:32}.{alnum:8}', 'zai_api_key: ${ZAI_API_KEY}'],
  },
  'zapier-webhook-url': {
    secret: ['"webhook": "https://hooks.zapier.com/hooks/catch/«{digits:7}/{lower:7}»/"'],
    clean: ['https://hooks.zapier.com/hooks/catch/', 'https://zapier.com/hooks/catch/{digits:7}/{lower:7}'],
  },
  'zendesk-secret-key': {
    secret: ['zendesk_secret_key: «{alnum:40}»'],
    clean: ['zendesk_secret_key: {alnum:39}', 'zendesk_secret_key is read from the vault'],
  },
  'zenkit-api-key': {
    secret: ["const zenkit_api_key = '«{lower:8}-{alnum:32}»'"],
    clean: ["const zenkit_api_key = '{lower:8}-{alnum:33}'", 'throw new Error("ZENKIT_API_KEY is not set")'],
  },
  'zenrows-api-key': {
    secret: ['export ZENROWS_API_KEY="«{hex:40}»"'],
    clean: ['export ZENROWS_API_KEY="{hex:39}"', 'ZENROWS_API_KEY=<your key>'],
  },
  'zenscrape-api-key': {
    secret: ['curl -H "zenscrape-api-key: «{uuid}»" https://api.example.com/v1'],
    clean: [
      'curl -H "zenscrape-api-key: {hex:36}" https://api.example.com/v1',
      'zenscrape_api_key: ${ZENSCRAPE_API_KEY}',
    ],
  },
  'zeplin-api-key': {
    secret: ['ENV ZEPLIN_API_KEY «eyJ{word:30}.eyJ{word:60}.{word:43}»'],
    clean: ['ENV ZEPLIN_API_KEY eyJ{word:30}.{digits:6}', 'const key = process.env.ZEPLIN_API_KEY'],
  },
  'zeptomail-api-key': {
    secret: ['key: «Zoho-enczapikey {alnum:140}==» # rotate'],
    clean: ['key: Zoho-enczapikey TOKEN # rotate'],
  },
  'zerobounce-api-key': {
    secret: ['<add key="zerobounce_api_key" value="«{hex:32}»" />'],
    clean: [
      '<add key="zerobounce_api_key" value="{hex:31}" />',
      'throw new Error("ZEROBOUNCE_API_KEY is not set")',
    ],
  },
  'zerotier-api-key': {
    secret: ['  - name: ZEROTIER_TOKEN     value: «{alnum:32}»'],
    clean: ['  - name: ZEROTIER_TOKEN     value: {alnum:33}', 'ZEROTIER_TOKEN=<your key>'],
  },
  'zilliz-api-key': {
    secret: ['os.environ["ZILLIZ_API_KEY"] = "«{hex:72}»"'],
    clean: ['os.environ["ZILLIZ_API_KEY"] = "{hex:71}"', 'zilliz_api_key: ${ZILLIZ_API_KEY}'],
  },
  'zipcodeapi-key': {
    secret: ['{\\"zipcodeapi_key\\":\\"«{alnum:64}»\\"}'],
    clean: ['{\\"zipcodeapi_key\\":\\"{alnum:65}\\"}', 'const key = process.env.ZIPCODEAPI_KEY'],
  },
  'zipcodebase-api-key': {
    secret: ['ZIPCODEBASE_API_KEY=«{uuid}»'],
    clean: ['ZIPCODEBASE_API_KEY={hex:36}', 'zipcodebase_api_key is read from the vault'],
  },
  'zoho-crm-api-access-token': {
    secret: ['new Client("«1000.{hex:32}.{hex:32}»")'],
    clean: ['new Client("1000.{hex:32}")'],
  },
  'zonkafeedback-api-token': {
    secret: ['zonkafeedback_api_token: «{alnum:36}»'],
    clean: ['zonkafeedback_api_token: {alnum:35}', 'ZONKAFEEDBACK_API_TOKEN=<your key>'],
  },
  'zoom-client-secret': {
    secret: ["const zoom_client_secret = '«{alnum:32}»'"],
    clean: ["const zoom_client_secret = '{alnum:33}'", 'zoom_client_secret: ${ZOOM_CLIENT_SECRET}'],
  },
  'zulip-api-key': {
    secret: ['export ZULIP_API_KEY="«{alnum:32}»"'],
    clean: ['export ZULIP_API_KEY="{alnum:31}"', 'const key = process.env.ZULIP_API_KEY'],
  },
  'zuplo-consumer-api-key': {
    secret: ['ZUPLO_CONSUMER_API_KEY=«zpka_{hex:32}_{hex:8}»'],
    clean: ['ZUPLO_CONSUMER_API_KEY=zpka_{hex:32}'],
  },
}
