import type { RuleSamples } from '../../../../test/support/secret-samples.ts'

export const samplesDF: RuleSamples = {
  'd7network-api-key': {
    ok: ['D7NETWORK_KEY=«{alnum:23}=»'],
    bad: ['d7network_key: {alnum:22}=', 'D7NETWORK_KEY='],
  },
  'dailyco-api-key': { ok: ['"daily_api_key": "«{hex:64}»",'], bad: ['DAILY_API_KEY={hex:63}'] },
  'dandelion-api-token': { ok: ['dandelion_token: «{hex:32}»'], bad: ['dandelion_token: {lower:30}'] },
  'dareboost-api-key': {
    ok: ["const dareboost_api_key = '«{alnum:60}»'"],
    bad: ['DAREBOOST_API_KEY={alnum:50}', 'dareboost_api_key: <your key here>'],
  },
  'databento-api-key': {
    ok: ['<token>«db-{alnum:29}»</token>'],
    bad: ['databento_api_key: db-{alnum:20}', 'DATABENTO_API_KEY=mydb-{alnum:29}'],
  },
  'databox-api-key': { ok: ['databox_token = "«{lower:21}»"'], bad: ['DATABOX_TOKEN={lower:18}'] },
  'databricks-api-token': {
    ok: ['{\\"auth\\":\\"«dapi{hex:32}-2»\\"}'],
    bad: ['databricks_token: dapi{hex:24}', 'DATABRICKS_TOKEN=dapi{HEX:32}'],
  },
  'databricks-oauth-secret': {
    ok: ['error: 401 for key «dose{hex:32}», giving up'],
    bad: ['DATABRICKS_CLIENT_SECRET=dose{hex:16}'],
  },
  'datadog-access-token': { ok: ["    'dd_app_key' => '«{hex:40}»',"], bad: ['dd_app_key: {hex:39}'] },
  'datadog-api-key': {
    ok: ['<add key="dd_api_key" value="«{hex:32}»" />'],
    bad: ['DD_API_KEY={hex:31}', 'dd_api_key: {HEX:16}', 'DD_API_KEY=${DD_API_KEY}'],
  },
  'datadog-scannable-key': {
    ok: ['curl -u «ddapp_{alnum:34}»: https://api.example.com'],
    bad: ['datadog_application_key: ddapp_{alnum:12}'],
  },
  'datagov-api-key': {
    ok: ["os.environ['DATA_GOV_API_KEY'] = '«{alnum:40}»'"],
    bad: ['DATA_GOV_API_KEY={alnum:36}'],
  },
  'datastax-astra-application-token': {
    ok: ['7,acme,«AstraCS:{letters:24}:{hex:64}»,active'],
    bad: ['astra_db_application_token: AstraCS:{letters:24}:{hex:40}'],
  },
  'daytona-api-key': { ok: ['auth_token = "«dtn_{hex:64}»"'], bad: ['DAYTONA_API_KEY=dtn_{hex:32}'] },
  'debounce-api-key': {
    ok: ['DEBOUNCE_API_KEY=«{alnum:13}»'],
    bad: ['debounce_api_key: {alnum:12}', 'DEBOUNCE_API_KEY=250'],
  },
  'deepai-api-key': {
    ok: ['"deepai_api_key": "«{uuid}»",'],
    bad: ['DEEPAI_API_KEY={hex:32}', 'DEEPAI_API_KEY='],
  },
  'deepgram-api-key': { ok: ['deepgram_api_key: «{hex:40}»'], bad: ['deepgram_api_key: {hex:36}'] },
  'deepinfra-api-key': {
    ok: ["const deepinfra_api_key = '«{alnum:32}»'"],
    bad: ['DEEPINFRA_API_KEY={alnum:28}'],
  },
  'deepseek-api-key': {
    ok: ['<token>«sk-{hex:32}»</token>'],
    bad: ['deepseek_api_key: sk-{hex:20}', 'DEEPSEEK_API_KEY=disk-{hex:32}'],
  },
  'defined-networking-api-token': {
    ok: ['GET /v1/me?token=«dnkey-{upper:26}-{upper:52}»&page=2'],
    bad: ['DN_API_TOKEN=dnkey-{upper:26}-{upper:20}'],
  },
  'delighted-api-key': {
    ok: ['docker run -e DELIGHTED_API_KEY=«{alnum:32}» acme/app'],
    bad: ['delighted_api_key: {alnum:30}'],
  },
  'deno-account-token': {
    ok: ['error: 401 for key «ddp_{alnum:36}», giving up'],
    bad: ['DENO_DEPLOY_TOKEN=ddp_{alnum:20}'],
  },
  'dependency-track-api-key': {
    ok: ['| ci | `«odt_{alnum:32}»` | admin |', 'auth_token = "«odt_{alnum:8}_{alnum:32}»"'],
    bad: ['dtrack_api_key: odt_{alnum:20}'],
  },
  'detectify-api-key': {
    ok: ['<add key="detectify_api_key" value="«{hex:32}»" />'],
    bad: ['DETECTIFY_API_KEY={hex:30}'],
  },
  'detectlanguage-api-key': {
    ok: ['{\\"detectlanguage_api_key\\":\\"«{hex:32}»\\"}'],
    bad: ['detectlanguage_api_key: {hex:24}', 'DETECTLANGUAGE_API_KEY=${DETECTLANGUAGE_API_KEY}'],
  },
  'devcycle-client-sdk-key': {
    ok: ['"DEVCYCLE_CLIENT_SDK_KEY=«dvc_client_{hex:8}_{hex:4}_{hex:4}_{hex:4}_{hex:12}_{hex:7}»",'],
    bad: ['DEVCYCLE_CLIENT_SDK_KEY=dvc_client_initialization_failed'],
  },
  'devcycle-mobile-sdk-key': {
    ok: ['7,acme,«dvc_mobile_{hex:8}_{hex:4}_{hex:4}_{hex:4}_{hex:12}_{hex:7}»,active'],
    bad: ['devcycle_mobile_sdk_key: dvc_mobile_sdk_ready'],
  },
  'devcycle-server-sdk-key': {
    ok: ['auth_token = "«dvc_server_{alnum:40}»"', '<token>«dvc_server_{uuid}_{hex:7}»</token>'],
    bad: ['DEVCYCLE_SERVER_SDK_KEY=dvc_server_side_rendering'],
  },
  'devin-personal-api-key': {
    ok: ['DEVIN_API_KEY=«apk_user_{alnum:92}==»'],
    bad: ['devin_api_key: apk_user_settings'],
  },
  'devin-service-api-key': {
    ok: ['Authorization: Bearer «apk_{alnum:88}==»'],
    bad: ['DEVIN_SERVICE_KEY=apk_download_manager_service_impl_v2'],
  },
  'devin-service-user-token': {
    ok: ['{"token":"«cog_{lower:52}»","ttl":60}'],
    bad: ['devin_service_user_token: cog_{lower:16}'],
  },
  'dfuse-api-key': { ok: ["const dfuse_api_key = '«web_{hex:32}»'"], bad: ['DFUSE_API_KEY=web_{hex:16}'] },
  'diffbot-api-key': { ok: ['export DIFFBOT_TOKEN="«{hex:32}»"'], bad: ['diffbot_token: {hex:28}'] },
  'dify-api-key': {
    ok: ['dify_api_key = "«app-{alnum:24}»"'],
    bad: ['DIFY_API_KEY=app-{alnum:12}', 'dify_api_key: <your key here>'],
  },
  'diggernaut-api-key': {
    ok: ['docker run -e DIGGERNAUT_API_KEY=«{hex:40}» acme/app'],
    bad: ['diggernaut_api_key: {hex:32}'],
  },
  'digitalocean-access-token': {
    ok: ['error: 401 for key «doo_v1_{hex:64}», giving up'],
    bad: ['DIGITALOCEAN_ACCESS_TOKEN=doo_v1_{hex:32}'],
  },
  'digitalocean-model-access-key': {
    ok: ['| ci | `«sk-do-{alnum:64}»` | admin |'],
    bad: ['digital_ocean_model_access_key: sk-do-not-use'],
  },
  'digitalocean-pat': { ok: ['+DO_PAT: «dop_v1_{hex:64}»'], bad: ['DO_PAT=dop_v1_{hex:40}'] },
  'digitalocean-refresh-token': {
    ok: ['curl -u «dor_v1_{hex:64}»: https://api.example.com'],
    bad: ['do_refresh_token: dor_v1_{hex:60}'],
  },
  'digitalocean-spaces-access-key': {
    ok: ['"SPACES_ACCESS_KEY_ID=«DO00{upper:16}»",'],
    bad: ['SPACES_ACCESS_KEY_ID=DO00{upper:8}'],
  },
  'digitalocean-spaces-secret-key': {
    ok: ['set -x SPACES_SECRET_ACCESS_KEY «{base64:43}»'],
    bad: ['spaces_secret_access_key: {alnum:40}'],
  },
  'digitalocean-token': { ok: ['ENV DIGITALOCEAN_TOKEN «{hex:64}»'], bad: ['DIGITALOCEAN_TOKEN={hex:62}'] },
  'discord-api-token': {
    ok: ['DISCORD_API_KEY=«{hex:64}»'],
    bad: ['discord_api_key: {hex:60}', 'see DISCORD_API_KEY in the manual'],
  },
  'discord-bot-header': {
    ok: ['Authorization: Bot «MTE{alnum:23}.G{alnum:5}.{word:37}a»'],
    bad: ['Bot version 1.20.3 is ready'],
  },
  'discord-bot-token': {
    ok: ["client.login('«MTA1{alnum:22}.G{alnum:5}.{word:37}a»')"],
    bad: ['MTA1{alnum:22}.G{alnum:5}', 'img src=MTA1{alnum:40}'],
  },
  'discord-bot-token-by-name': {
    ok: ["const discord_token = '«N{alnum:23}.X{alnum:5}.{word:26}a»'"],
    bad: ['DISCORD_TOKEN=N{alnum:23}.X{alnum:5}.{alnum:12}', 'DISCORD_TOKEN='],
  },
  'discord-client-secret': {
    ok: ['export DISCORD_CLIENT_SECRET="«{alnum:32}»"'],
    bad: ['discord_client_secret: {alnum:28}'],
  },
  'discord-webhook-url': {
    ok: [
      'https://discord.com/api/webhooks/{digits:18}/«{alnum:68}»',
      'hook: https://discordapp.com/api/v10/webhooks/{digits:19}/«{alnum:68}»?wait=true',
    ],
    bad: ['https://discord.com/api/v10/channels/{digits:18}/messages'],
  },
  'disqus-api-key': {
    ok: ['docker run -e DISQUS_SECRET_KEY=«{alnum:64}» acme/app'],
    bad: ['disqus_secret_key: {alnum:60}', 'disqus_secret_key: <your key here>'],
  },
  'ditto-api-key': {
    ok: ['- name: DITTO_API_KEY\n  value: «{uuid}.{hex:40}»'],
    bad: ['DITTO_API_KEY={uuid}'],
  },
  'django-insecure-secret-key': {
    ok: ["SECRET_KEY = '«django-insecure-{[abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+)]:49}x»'"],
    bad: ['secret_key: django-insecure-{lower:20}'],
  },
  'django-secret-key': {
    ok: ["SECRET_KEY = '«{[abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+)]:50}»'"],
    bad: ['DJANGO_SECRET_KEY={lower:40}'],
  },
  'docker-swarm-join-token': {
    ok: ['docker swarm join --token «SWMTKN-1-{lower:50}-{lower:25}» 10.0.0.1:2377'],
    bad: ['swarm_token: SWMTKN-1-{lower:50}'],
  },
  'docker-swarm-unlock-key': {
    ok: ['"SWARM_UNLOCK_KEY=«SWMKEY-1-{base64:42}a»",'],
    bad: ['SWARM_UNLOCK_KEY=SWMKEY-1-{alnum:20}'],
  },
  'dockerhub-organization-access-token': {
    ok: ['7,acme,«dckr_oat_{word:31}a»,active'],
    bad: ['dockerhub_org_token: dckr_oat_{alnum:10}'],
  },
  'dockerhub-personal-access-token': {
    ok: ['auth_token = "«dckr_pat_{word:26}a»"'],
    bad: ['DOCKERHUB_TOKEN=dckr_pat_{alnum:10}'],
  },
  'docparser-api-key': { ok: ['DOCPARSER_API_KEY=«{hex:40}»'], bad: ['docparser_api_key: {hex:32}'] },
  'documo-api-key': {
    ok: ['"documo_api_key": "«eyJ{alnum:34}.eyJ{alnum:154}.{word:42}a»",'],
    bad: ['DOCUMO_API_KEY=ey{alnum:34}.ey{alnum:10}', 'see DOCUMO_API_KEY in the manual'],
  },
  'doppler-api-token': {
    ok: ['{"token":"«dp.pt.{alnum:43}»","ttl":60}'],
    bad: ['doppler_token: dp.pt.{alnum:20}'],
  },
  'doppler-audit-token': {
    ok: ["login('«dp.audit.{alnum:40}»')"],
    bad: ['DOPPLER_AUDIT_TOKEN=dp.audit.{alnum:12}'],
  },
  'doppler-cli-token': {
    ok: ['<token>«dp.ct.{alnum:43}»</token>'],
    bad: ['doppler_cli_token: dp.ct.{alnum:12}'],
  },
  'doppler-scim-token': {
    ok: ['GET /v1/me?token=«dp.scim.{alnum:40}»&page=2'],
    bad: ['DOPPLER_SCIM_TOKEN=dp.scim.{alnum:12}'],
  },
  'doppler-service-account-token': {
    ok: ['{\\"auth\\":\\"«dp.sa.{alnum:43}»\\"}'],
    bad: ['doppler_service_account_token: dp.sa.{alnum:12}'],
  },
  'doppler-service-token': {
    ok: ['error: 401 for key «dp.st.{alnum:43}», giving up', '7,acme,«dp.st.dev_backend.{alnum:43}»,active'],
    bad: ['DOPPLER_SERVICE_TOKEN=dp.st.dev_backend.{alnum:12}'],
  },
  'dronahq-api-key': { ok: ["    'dronahq_token' => '«{lower:50}»',"], bad: ['dronahq_token: {lower:40}'] },
  'droneci-access-token': {
    ok: ['<add key="drone_token" value="«{alnum:32}»" />'],
    bad: ['DRONE_TOKEN={alnum:28}'],
  },
  'dropbox-api-token': {
    ok: ['{\\"dropbox_app_secret\\":\\"«{lower:15}»\\"}'],
    bad: [
      'dropbox_app_secret: {lower:12}',
      'DROPBOX_APP_SECRET={upper:15}',
      'dropbox_app_secret = os.environ["DROPBOX_APP_SECRET"]',
    ],
  },
  'dropbox-long-lived-api-token': {
    ok: ["os.environ['DROPBOX_ACCESS_TOKEN'] = '«{alnum:11}AAAAAAAAAA{alnum:43}»'"],
    bad: ['DROPBOX_ACCESS_TOKEN={alnum:11}AAAAAAAAAA{alnum:20}'],
  },
  'dropbox-short-lived-api-token': {
    ok: ['7,acme,«sl.{word:134}a»,active', "login('«sl.u.{word:900}a»')"],
    bad: ['dropbox_access_token: sl.{alnum:60}'],
  },
  'dub-api-key': { ok: ['auth_token = "«dub_{alnum:24}»"'], bad: ['DUB_API_KEY=dub_{alnum:10}'] },
  'duffel-api-token': {
    ok: ['DUFFEL_ACCESS_TOKEN=«duffel_live_{word:42}a»'],
    bad: ['duffel_access_token: duffel_test_{alnum:16}'],
  },
  'dynalist-api-key': { ok: ['"dynalist_token": "«{word:85}a»",'], bad: ['DYNALIST_TOKEN={alnum:60}'] },
  'dynatrace-api-token': {
    ok: ['{"token":"«dt0c01.{upper:24}.{upper:64}»","ttl":60}'],
    bad: ['dt_api_token: dt0c01.{upper:24}'],
  },
  'dyspatch-api-key': {
    ok: ["const dyspatch_api_key = '«{base32:52}»'"],
    bad: ['DYSPATCH_API_KEY={base32:40}'],
  },
  'e2b-api-key': { ok: ['<token>«e2b_{hex:40}»</token>'], bad: ['e2b_api_key: e2b_{hex:20}'] },
  'eagle-eye-networks-api-key': {
    ok: ['eagle_eye_api_key = "«{alnum:15}»"'],
    bad: ['EAGLE_EYE_API_KEY={alnum:12}', 'EAGLE_EYE_API_KEY='],
  },
  'easypost-api-token': {
    ok: ['{\\"auth\\":\\"«EZAK{alnum:54}»\\"}'],
    bad: ['easypost_api_key: EZAK{alnum:30}'],
  },
  'easypost-test-api-token': {
    ok: ['error: 401 for key «EZTK{alnum:54}», giving up'],
    bad: ['EASYPOST_TEST_KEY=EZTK{alnum:30}'],
  },
  'ebay-client-secret': {
    ok: ['| ci | `«PRD-{hex:12}-{hex:4}-{hex:4}-{hex:4}-{hex:4}»` | admin |'],
    bad: ['ebay_cert_id: PRD-{hex:12}-{hex:4}', 'EBAY_CERT_ID=SBX-{uuid}'],
  },
  'ecostruxure-it-api-key': {
    ok: ['<add key="ecostruxure_api_key" value="«AK1{alnum:52}»" />'],
    bad: ['ECOSTRUXURE_API_KEY=AK1{alnum:30}'],
  },
  'edenai-api-key': {
    ok: ['{\\"edenai_api_key\\":\\"«{alnum:36}.{alnum:92}.{alnum:43}»\\"}'],
    bad: ['edenai_api_key: {alnum:36}.{alnum:40}'],
  },
  'elastic-cloud-api-key': { ok: ['"EC_API_KEY=«essu_{alnum:86}==»",'], bad: ['EC_API_KEY=essu_{alnum:12}'] },
  'elasticemail-api-key': {
    ok: ['set -x ELASTICEMAIL_API_KEY «{HEX:96}»'],
    bad: ['elasticemail_api_key: {HEX:64}'],
  },
  'elasticsearch-api-key': {
    ok: ['ENV ELASTIC_API_KEY «{base64:58}==»'],
    bad: ['ELASTIC_API_KEY={alnum:40}=='],
  },
  'elevenlabs-api-key': {
    ok: ['ELEVENLABS_API_KEY=«sk_{hex:48}»'],
    bad: ['elevenlabs_api_key: sk_{hex:40}', 'ELEVENLABS_API_KEY=task_{hex:48}'],
  },
  'elevenlabs-legacy-api-key': { ok: ['"xi_api_key": "«{hex:32}»",'], bad: ['XI_API_KEY={hex:30}'] },
  'endorlabs-api-key': {
    ok: ['{"token":"«endr+{alnum:16}»","ttl":60}'],
    bad: ['endor_api_credentials_secret: endr+{alnum:8}'],
  },
  'enigma-api-key': {
    ok: ["const enigma_api_key = '«{alnum:40}»'"],
    bad: ['ENIGMA_API_KEY={alnum:32}', 'see ENIGMA_API_KEY in the manual'],
  },
  'envoy-api-key': { ok: ['export ENVOY_API_KEY="«{alnum:213}»"'], bad: ['envoy_api_key: {alnum:64}'] },
  'eraser-api-key': { ok: ['eraser_api_token = "«{alnum:20}»"'], bad: ['ERASER_API_TOKEN={alnum:16}'] },
  'etherscan-api-key': {
    ok: ['docker run -e ETHERSCAN_API_KEY=«{upper:34}» acme/app'],
    bad: ['etherscan_api_key: {upper:30}', 'ETHERSCAN_API_KEY=0x{hex:40}', 'ETHERSCAN_API_KEY='],
  },
  'ethplorer-api-key': {
    ok: ['- name: ETHPLORER_API_KEY\n  value: «EK-{alnum:5}-{alnum:7}-{alnum:5}»'],
    bad: ['ETHPLORER_API_KEY=EK-{alnum:5}'],
  },
  'etsy-access-token': { ok: ["    'etsy_api_key' => '«{lower:24}»',"], bad: ['etsy_api_key: {lower:20}'] },
  'eventbrite-api-key': {
    ok: ['<add key="eventbrite_oauth_token" value="«{upper:20}»" />'],
    bad: ['EVENTBRITE_OAUTH_TOKEN={upper:16}', 'eventbrite_oauth_token: <your key here>'],
  },
  'everhour-api-key': {
    ok: ['{\\"everhour_api_key\\":\\"«{hex:4}-{hex:4}-{hex:6}-{hex:6}-{hex:8}»\\"}'],
    bad: ['everhour_api_key: {uuid}'],
  },
  'exa-api-key': { ok: ["os.environ['EXA_API_KEY'] = '«{uuid}»'"], bad: ['EXA_API_KEY={hex:32}'] },
  'exchangerateapi-key': {
    ok: ['set -x EXCHANGE_RATE_API_KEY «{hex:24}»'],
    bad: ['exchange_rate_api_key: {hex:20}', 'exchange_rate_api_key = os.environ["EXCHANGE_RATE_API_KEY"]'],
  },
  'exchangeratesapi-key': {
    ok: ['ENV EXCHANGERATESAPI_KEY «{alnum:32}»'],
    bad: ['EXCHANGERATESAPI_KEY={alnum:24}'],
  },
  'exoscale-api-key': { ok: ['EXOSCALE_API_KEY=«EXO{hex:24}»'], bad: ['exoscale_api_key: EXO{hex:20}'] },
  'exoscale-api-secret': {
    ok: ['"exoscale_api_secret": "«{word:42}a»",'],
    bad: ['EXOSCALE_API_SECRET={alnum:30}', 'EXOSCALE_API_SECRET=${EXOSCALE_API_SECRET}'],
  },
  'expo-access-token': { ok: ['expo_token: «{word:39}a»'], bad: ['expo_token: {alnum:30}'] },
  'extractorapi-key': { ok: ["const extractorapi_key = '«{uuid}»'"], bad: ['EXTRACTORAPI_KEY={alnum:30}'] },
  'facebook-access-token': {
    ok: ['export FB_ACCESS_TOKEN="«{digits:16}|{alnum:27}»"'],
    bad: ['fb_access_token: {digits:16}|{alnum:10}', 'see FB_ACCESS_TOKEN in the manual'],
  },
  'facebook-page-access-token': {
    ok: ['GET /v1/me?token=«EAAC{alnum:170}»&page=2'],
    bad: ['FACEBOOK_PAGE_TOKEN=EAAC{alnum:40}'],
  },
  'facebook-secret': {
    ok: ['docker run -e FACEBOOK_APP_SECRET=«{hex:32}» acme/app'],
    bad: ['facebook_app_secret: {hex:24}', 'FACEBOOK_APP_SECRET={digits:16}'],
  },
  'fal-api-key': {
    ok: ['- name: FAL_KEY\n  value: «{uuid}:{hex:32}»'],
    bad: ['FAL_KEY={uuid}:{hex:8}', 'FAL_KEY='],
  },
  'fastforex-api-key': {
    ok: ["    'fastforex_api_key' => '«{hex:10}-{hex:10}-{lower:6}»',"],
    bad: ['fastforex_api_key: {hex:10}-{hex:10}'],
  },
  'fastly-api-token': {
    ok: ['<add key="fastly_api_token" value="«{word:31}a»" />'],
    bad: ['FASTLY_API_TOKEN={alnum:24}'],
  },
  'feedier-api-key': {
    ok: ['{\\"feedier_api_key\\":\\"«{alnum:32}»\\"}'],
    bad: ['feedier_api_key: {alnum:20}', 'feedier_api_key: <your key here>'],
  },
  'fetchrss-api-key': {
    ok: ["os.environ['FETCHRSS_API_KEY'] = '«{alnum:23}.{alnum:16}»'"],
    bad: ['FETCHRSS_API_KEY={alnum:30}'],
  },
  'figma-legacy-access-token': {
    ok: ['X-Figma-Token: «{digits:6}-{uuid}»'],
    bad: ['X-Figma-Token: {digits:6}-{hex:8}'],
  },
  'figma-personal-access-token': {
    ok: ['auth_token = "«figd_{word:39}a»"'],
    bad: ['FIGMA_TOKEN=figd_{alnum:12}'],
  },
  'fileio-secret-key': {
    ok: ['FILEIO_SECRET_KEY=«{upper:7}.{upper:7}-{upper:7}-{upper:7}-{upper:7}»'],
    bad: ['fileio_secret_key: {upper:7}.{upper:7}-{upper:7}'],
  },
  'finage-api-key': { ok: ['"finage": "«API_KEY{upper:32}»",'], bad: ['FINAGE=API_KEY{upper:20}'] },
  'financial-modeling-prep-api-key': {
    ok: ['fmp_api_key: «{alnum:32}»'],
    bad: ['fmp_api_key: {alnum:24}', 'FMP_API_KEY=${FMP_API_KEY}'],
  },
  'findl-api-key': { ok: ["const findl_api_key = '«{uuid}»'"], bad: ['FINDL_API_KEY={hex:20}'] },
  'finicity-api-token': { ok: ['export FINICITY_APP_KEY="«{hex:32}»"'], bad: ['finicity_app_key: {hex:28}'] },
  'finicity-client-secret': {
    ok: ['finicity_partner_secret = "«{alnum:20}»"'],
    bad: ['FINICITY_PARTNER_SECRET={alnum:16}', 'see FINICITY_PARTNER_SECRET in the manual'],
  },
  'finnhub-access-token': {
    ok: [
      'docker run -e FINNHUB_API_KEY=«{lower:20}» acme/app',
      "os.environ['FINNHUB_API_KEY'] = '«{lower:40}»'",
    ],
    bad: ['finnhub_api_key: {lower:18}', 'FINNHUB_API_KEY={lower:30}'],
  },
  'firebase-cloud-messaging-key': {
    ok: ['error: 401 for key «AAAA{alnum:7}:APA91b{word:133}a», giving up'],
    bad: ['FCM_SERVER_KEY=AAAA{alnum:7}:APA91b{alnum:40}'],
  },
  'firecrawl-api-key': { ok: ['| ci | `«fc-{hex:32}»` | admin |'], bad: ['firecrawl_api_key: fc-{hex:20}'] },
  'fireworks-api-key': {
    ok: ['+FIREWORKS_API_KEY: «fw_{alnum:24}»'],
    bad: ['FIREWORKS_API_KEY=fw_{alnum:12}'],
  },
  'fixer-io-api-key': {
    ok: ['{\\"fixer_api_key\\":\\"«{alnum:32}»\\"}'],
    bad: ['fixer_api_key: {alnum:20}'],
  },
  'flatio-api-key': {
    ok: ["os.environ['FLATIO_TOKEN'] = '«{hex:128}»'"],
    bad: ['FLATIO_TOKEN={hex:64}', 'flatio_token: <your key here>'],
  },
  'fleetbase-api-key': {
    ok: ['7,acme,«flb_live_{alnum:20}»,active'],
    bad: ['fleetbase_key: flb_live_{alnum:8}'],
  },
  'flexport-api-key': {
    ok: ['auth_token = "«shltm_{word:39}a»"'],
    bad: ['FLEXPORT_API_KEY=shltm_{alnum:20}'],
  },
  'flickr-access-token': {
    ok: ['FLICKR_API_KEY=«{hex:32}»'],
    bad: ['flickr_api_key: {hex:28}', 'flickr_api_key = os.environ["FLICKR_API_KEY"]'],
  },
  'flickr-secret': { ok: ['"flickr_api_secret": "«{hex:16}»",'], bad: ['FLICKR_API_SECRET={hex:12}'] },
  'flightapi-key': { ok: ['flightapi_key: «{hex:24}»'], bad: ['flightapi_key: {hex:20}'] },
  'flightlabs-api-key': {
    ok: ["const flightlabs_access_key = '«eyJ{alnum:34}.eyJ{alnum:150}.{word:84}a»'"],
    bad: ['FLIGHTLABS_ACCESS_KEY=ey{alnum:34}', 'FLIGHTLABS_ACCESS_KEY=${FLIGHTLABS_ACCESS_KEY}'],
  },
  'float-api-key': { ok: ['export FLOAT_API_KEY="«{alnum:58}a=»"'], bad: ['float_api_key: {alnum:40}'] },
  'flutterwave-encryption-key': {
    ok: ['GET /v1/me?token=«FLWSECK_TEST{hex:12}»&page=2'],
    bad: ['FLW_ENCRYPTION_KEY=FLWSECK_TEST{hex:6}'],
  },
  'flutterwave-public-key': {
    ok: ['{\\"auth\\":\\"«FLWPUBK_TEST-{hex:32}-X»\\"}'],
    bad: ['flw_public_key: FLWPUBK_TEST-{hex:12}-X'],
  },
  'flutterwave-secret-key': {
    ok: ['error: 401 for key «FLWSECK-{hex:32}-X», giving up'],
    bad: ['FLW_SECRET_KEY=FLWSECK-{hex:12}-X'],
  },
  'flyio-access-token': {
    ok: ['| ci | `«fm2_{base64:198}aa==»` | admin |', 'auth_token = "«fo1_{word:42}a»"'],
    bad: ['fly_api_token: fm2_{alnum:20}'],
  },
  'formbucket-api-key': {
    ok: ['<add key="formbucket_token" value="«eyJ{alnum:34}.eyJ{alnum:90}.{word:42}a»" />'],
    bad: ['FORMBUCKET_TOKEN=ey{alnum:34}', 'FORMBUCKET_TOKEN='],
  },
  'formcraft-api-key': {
    ok: ['{\\"formcraft_key\\":\\"«{alnum:32}»\\"}'],
    bad: ['formcraft_key: {alnum:20}'],
  },
  'formio-jwt-token': {
    ok: ['x-jwt-token: «eyJ{alnum:34}.eyJ{alnum:120}.{word:42}a»'],
    bad: ['x-jwt-token: ey{alnum:34}'],
  },
  'foursquare-api-key': {
    ok: ['set -x FOURSQUARE_CLIENT_SECRET «{upper:48}»'],
    bad: ['foursquare_client_secret: {upper:40}', 'foursquare_client_secret: <your key here>'],
  },
  'foursquare-places-api-key': {
    ok: ['auth_token = "«fsq3{base64:42}a=»"'],
    bad: ['FSQ_API_KEY=fsq3{alnum:20}'],
  },
  'frameio-api-token': { ok: ['FRAMEIO_TOKEN=«fio-u-{word:63}a»'], bad: ['frameio_token: fio-u-{alnum:30}'] },
  'freemius-secret-key': {
    ok: [
      "'secret_key' => '«sk_{[abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789~!#%^&*.-]:28}x»',",
    ],
    bad: ['FREEMIUS_SECRET_KEY=sk_{alnum:10}'],
  },
  'freshbooks-access-token': {
    ok: ['freshbooks_access_token: «{hex:64}»'],
    bad: ['freshbooks_access_token: {hex:50}'],
  },
  'front-api-key': {
    ok: ["const front_api_token = '«eyJ{alnum:34}.eyJ{alnum:150}.{word:42}a»'"],
    bad: ['FRONT_API_TOKEN=ey{alnum:34}'],
  },
  'fulcrum-api-key': {
    ok: ['export FULCRUM_API_TOKEN="«{hex:80}»"'],
    bad: ['fulcrum_api_token: {hex:60}', 'FULCRUM_API_TOKEN=${FULCRUM_API_TOKEN}'],
  },
  'fullstory-key': {
    ok: ['fullstory_api_key = "«na1.{base64:99}a»"', '{\\"fullstory_api_key\\":\\"«{base64:87}a»\\"}'],
    bad: ['FULLSTORY_API_KEY={alnum:60}'],
  },
  'fxmarket-api-key': {
    ok: ['docker run -e FXMARKET_API_KEY=«{alnum:20}» acme/app'],
    bad: ['fxmarket_api_key: {alnum:16}'],
  },
}
