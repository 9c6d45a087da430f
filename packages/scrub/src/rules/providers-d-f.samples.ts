import type { RuleSamples } from '@contextd/shared/testing/secret-samples'

export const samplesDF: RuleSamples = {
  'd7network-api-key': {
    secret: ['D7NETWORK_KEY=«{alnum:23}=»'],
    clean: ['d7network_key: {alnum:22}=', 'D7NETWORK_KEY='],
  },
  'dailyco-api-key': { secret: ['"daily_api_key": "«{hex:64}»",'], clean: ['DAILY_API_KEY={hex:63}'] },
  'dandelion-api-token': { secret: ['dandelion_token: «{hex:32}»'], clean: ['dandelion_token: {lower:30}'] },
  'dareboost-api-key': {
    secret: ["const dareboost_api_key = '«{alnum:60}»'"],
    clean: ['DAREBOOST_API_KEY={alnum:50}', 'dareboost_api_key: <your key here>'],
  },
  'databento-api-key': {
    secret: ['<token>«db-{alnum:29}»</token>'],
    clean: ['databento_api_key: db-{alnum:20}', 'DATABENTO_API_KEY=mydb-{alnum:29}'],
  },
  'databox-api-key': { secret: ['databox_token = "«{lower:21}»"'], clean: ['DATABOX_TOKEN={lower:18}'] },
  'databricks-api-token': {
    secret: ['{\\"auth\\":\\"«dapi{hex:32}-2»\\"}'],
    clean: ['databricks_token: dapi{hex:24}', 'DATABRICKS_TOKEN=dapi{HEX:32}'],
  },
  'databricks-oauth-secret': {
    secret: ['error: 401 for key «dose{hex:32}», giving up'],
    clean: ['DATABRICKS_CLIENT_SECRET=dose{hex:16}'],
  },
  'datadog-access-token': { secret: ["    'dd_app_key' => '«{hex:40}»',"], clean: ['dd_app_key: {hex:39}'] },
  'datadog-api-key': {
    secret: ['<add key="dd_api_key" value="«{hex:32}»" />'],
    clean: ['DD_API_KEY={hex:31}', 'dd_api_key: {HEX:16}', 'DD_API_KEY=${DD_API_KEY}'],
  },
  'datadog-scannable-key': {
    secret: ['curl -u «ddapp_{alnum:34}»: https://api.example.com'],
    clean: ['datadog_application_key: ddapp_{alnum:12}'],
  },
  'datagov-api-key': {
    secret: ["os.environ['DATA_GOV_API_KEY'] = '«{alnum:40}»'"],
    clean: ['DATA_GOV_API_KEY={alnum:36}'],
  },
  'datastax-astra-application-token': {
    secret: ['7,acme,«AstraCS:{letters:24}:{hex:64}»,active'],
    clean: ['astra_db_application_token: AstraCS:{letters:24}:{hex:40}'],
  },
  'daytona-api-key': { secret: ['auth_token = "«dtn_{hex:64}»"'], clean: ['DAYTONA_API_KEY=dtn_{hex:32}'] },
  'debounce-api-key': {
    secret: ['DEBOUNCE_API_KEY=«{alnum:13}»'],
    clean: ['debounce_api_key: {alnum:12}', 'DEBOUNCE_API_KEY=250'],
  },
  'deepai-api-key': {
    secret: ['"deepai_api_key": "«{uuid}»",'],
    clean: ['DEEPAI_API_KEY={hex:32}', 'DEEPAI_API_KEY='],
  },
  'deepgram-api-key': { secret: ['deepgram_api_key: «{hex:40}»'], clean: ['deepgram_api_key: {hex:36}'] },
  'deepinfra-api-key': {
    secret: ["const deepinfra_api_key = '«{alnum:32}»'"],
    clean: ['DEEPINFRA_API_KEY={alnum:28}'],
  },
  'deepseek-api-key': {
    secret: ['<token>«sk-{hex:32}»</token>'],
    clean: ['deepseek_api_key: sk-{hex:20}', 'DEEPSEEK_API_KEY=disk-{hex:32}'],
  },
  'defined-networking-api-token': {
    secret: ['GET /v1/me?token=«dnkey-{upper:26}-{upper:52}»&page=2'],
    clean: ['DN_API_TOKEN=dnkey-{upper:26}-{upper:20}'],
  },
  'delighted-api-key': {
    secret: ['docker run -e DELIGHTED_API_KEY=«{alnum:32}» acme/app'],
    clean: ['delighted_api_key: {alnum:30}'],
  },
  'deno-account-token': {
    secret: ['error: 401 for key «ddp_{alnum:36}», giving up'],
    clean: ['DENO_DEPLOY_TOKEN=ddp_{alnum:20}'],
  },
  'dependency-track-api-key': {
    secret: ['| ci | `«odt_{alnum:32}»` | admin |', 'auth_token = "«odt_{alnum:8}_{alnum:32}»"'],
    clean: ['dtrack_api_key: odt_{alnum:20}'],
  },
  'detectify-api-key': {
    secret: ['<add key="detectify_api_key" value="«{hex:32}»" />'],
    clean: ['DETECTIFY_API_KEY={hex:30}'],
  },
  'detectlanguage-api-key': {
    secret: ['{\\"detectlanguage_api_key\\":\\"«{hex:32}»\\"}'],
    clean: ['detectlanguage_api_key: {hex:24}', 'DETECTLANGUAGE_API_KEY=${DETECTLANGUAGE_API_KEY}'],
  },
  'devcycle-client-sdk-key': {
    secret: ['"DEVCYCLE_CLIENT_SDK_KEY=«dvc_client_{hex:8}_{hex:4}_{hex:4}_{hex:4}_{hex:12}_{hex:7}»",'],
    clean: ['DEVCYCLE_CLIENT_SDK_KEY=dvc_client_initialization_failed'],
  },
  'devcycle-mobile-sdk-key': {
    secret: ['7,acme,«dvc_mobile_{hex:8}_{hex:4}_{hex:4}_{hex:4}_{hex:12}_{hex:7}»,active'],
    clean: ['devcycle_mobile_sdk_key: dvc_mobile_sdk_ready'],
  },
  'devcycle-server-sdk-key': {
    secret: ['auth_token = "«dvc_server_{alnum:40}»"', '<token>«dvc_server_{uuid}_{hex:7}»</token>'],
    clean: ['DEVCYCLE_SERVER_SDK_KEY=dvc_server_side_rendering'],
  },
  'devin-personal-api-key': {
    secret: ['DEVIN_API_KEY=«apk_user_{alnum:92}==»'],
    clean: ['devin_api_key: apk_user_settings'],
  },
  'devin-service-api-key': {
    secret: ['Authorization: Bearer «apk_{alnum:88}==»'],
    clean: ['DEVIN_SERVICE_KEY=apk_download_manager_service_impl_v2'],
  },
  'devin-service-user-token': {
    secret: ['{"token":"«cog_{lower:52}»","ttl":60}'],
    clean: ['devin_service_user_token: cog_{lower:16}'],
  },
  'dfuse-api-key': {
    secret: ["const dfuse_api_key = '«web_{hex:32}»'"],
    clean: ['DFUSE_API_KEY=web_{hex:16}'],
  },
  'diffbot-api-key': { secret: ['export DIFFBOT_TOKEN="«{hex:32}»"'], clean: ['diffbot_token: {hex:28}'] },
  'dify-api-key': {
    secret: ['dify_api_key = "«app-{alnum:24}»"'],
    clean: ['DIFY_API_KEY=app-{alnum:12}', 'dify_api_key: <your key here>'],
  },
  'diggernaut-api-key': {
    secret: ['docker run -e DIGGERNAUT_API_KEY=«{hex:40}» acme/app'],
    clean: ['diggernaut_api_key: {hex:32}'],
  },
  'digitalocean-access-token': {
    secret: ['error: 401 for key «doo_v1_{hex:64}», giving up'],
    clean: ['DIGITALOCEAN_ACCESS_TOKEN=doo_v1_{hex:32}'],
  },
  'digitalocean-model-access-key': {
    secret: ['| ci | `«sk-do-{alnum:64}»` | admin |'],
    clean: ['digital_ocean_model_access_key: sk-do-not-use'],
  },
  'digitalocean-pat': { secret: ['+DO_PAT: «dop_v1_{hex:64}»'], clean: ['DO_PAT=dop_v1_{hex:40}'] },
  'digitalocean-refresh-token': {
    secret: ['curl -u «dor_v1_{hex:64}»: https://api.example.com'],
    clean: ['do_refresh_token: dor_v1_{hex:60}'],
  },
  'digitalocean-spaces-access-key': {
    secret: ['"SPACES_ACCESS_KEY_ID=«DO00{upper:16}»",'],
    clean: ['SPACES_ACCESS_KEY_ID=DO00{upper:8}'],
  },
  'digitalocean-spaces-secret-key': {
    secret: ['set -x SPACES_SECRET_ACCESS_KEY «{base64:43}»'],
    clean: ['spaces_secret_access_key: {alnum:40}'],
  },
  'digitalocean-token': {
    secret: ['ENV DIGITALOCEAN_TOKEN «{hex:64}»'],
    clean: ['DIGITALOCEAN_TOKEN={hex:62}'],
  },
  'discord-api-token': {
    secret: ['DISCORD_API_KEY=«{hex:64}»'],
    clean: ['discord_api_key: {hex:60}', 'see DISCORD_API_KEY in the manual'],
  },
  'discord-bot-header': {
    secret: ['Authorization: Bot «MTE{alnum:23}.G{alnum:5}.{word:37}a»'],
    clean: ['Bot version 1.20.3 is ready'],
  },
  'discord-bot-token': {
    secret: ["client.login('«MTA1{alnum:22}.G{alnum:5}.{word:37}a»')"],
    clean: ['MTA1{alnum:22}.G{alnum:5}', 'img src=MTA1{alnum:40}'],
  },
  'discord-bot-token-by-name': {
    secret: ["const discord_token = '«N{alnum:23}.X{alnum:5}.{word:26}a»'"],
    clean: ['DISCORD_TOKEN=N{alnum:23}.X{alnum:5}.{alnum:12}', 'DISCORD_TOKEN='],
  },
  'discord-client-secret': {
    secret: ['export DISCORD_CLIENT_SECRET="«{alnum:32}»"'],
    clean: ['discord_client_secret: {alnum:28}'],
  },
  'discord-webhook-url': {
    secret: [
      'https://discord.com/api/webhooks/{digits:18}/«{alnum:68}»',
      'hook: https://discordapp.com/api/v10/webhooks/{digits:19}/«{alnum:68}»?wait=true',
    ],
    clean: ['https://discord.com/api/v10/channels/{digits:18}/messages'],
  },
  'disqus-api-key': {
    secret: ['docker run -e DISQUS_SECRET_KEY=«{alnum:64}» acme/app'],
    clean: ['disqus_secret_key: {alnum:60}', 'disqus_secret_key: <your key here>'],
  },
  'ditto-api-key': {
    secret: ['- name: DITTO_API_KEY\n  value: «{uuid}.{hex:40}»'],
    clean: ['DITTO_API_KEY={uuid}'],
  },
  'django-insecure-secret-key': {
    secret: ["SECRET_KEY = '«django-insecure-{[abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+)]:49}x»'"],
    clean: ['secret_key: django-insecure-{lower:20}'],
  },
  'django-secret-key': {
    secret: ["SECRET_KEY = '«{[abcdefghijklmnopqrstuvwxyz0123456789!@#$%^&*(-_=+)]:50}»'"],
    clean: ['DJANGO_SECRET_KEY={lower:40}'],
  },
  'docker-swarm-join-token': {
    secret: ['docker swarm join --token «SWMTKN-1-{lower:50}-{lower:25}» 10.0.0.1:2377'],
    clean: ['swarm_token: SWMTKN-1-{lower:50}'],
  },
  'docker-swarm-unlock-key': {
    secret: ['"SWARM_UNLOCK_KEY=«SWMKEY-1-{base64:42}a»",'],
    clean: ['SWARM_UNLOCK_KEY=SWMKEY-1-{alnum:20}'],
  },
  'dockerhub-organization-access-token': {
    secret: ['7,acme,«dckr_oat_{word:31}a»,active'],
    clean: ['dockerhub_org_token: dckr_oat_{alnum:10}'],
  },
  'dockerhub-personal-access-token': {
    secret: ['auth_token = "«dckr_pat_{word:26}a»"'],
    clean: ['DOCKERHUB_TOKEN=dckr_pat_{alnum:10}'],
  },
  'docparser-api-key': { secret: ['DOCPARSER_API_KEY=«{hex:40}»'], clean: ['docparser_api_key: {hex:32}'] },
  'documo-api-key': {
    secret: ['"documo_api_key": "«eyJ{alnum:34}.eyJ{alnum:154}.{word:42}a»",'],
    clean: ['DOCUMO_API_KEY=ey{alnum:34}.ey{alnum:10}', 'see DOCUMO_API_KEY in the manual'],
  },
  'doppler-api-token': {
    secret: ['{"token":"«dp.pt.{alnum:43}»","ttl":60}'],
    clean: ['doppler_token: dp.pt.{alnum:20}'],
  },
  'doppler-audit-token': {
    secret: ["login('«dp.audit.{alnum:40}»')"],
    clean: ['DOPPLER_AUDIT_TOKEN=dp.audit.{alnum:12}'],
  },
  'doppler-cli-token': {
    secret: ['<token>«dp.ct.{alnum:43}»</token>'],
    clean: ['doppler_cli_token: dp.ct.{alnum:12}'],
  },
  'doppler-scim-token': {
    secret: ['GET /v1/me?token=«dp.scim.{alnum:40}»&page=2'],
    clean: ['DOPPLER_SCIM_TOKEN=dp.scim.{alnum:12}'],
  },
  'doppler-service-account-token': {
    secret: ['{\\"auth\\":\\"«dp.sa.{alnum:43}»\\"}'],
    clean: ['doppler_service_account_token: dp.sa.{alnum:12}'],
  },
  'doppler-service-token': {
    secret: [
      'error: 401 for key «dp.st.{alnum:43}», giving up',
      '7,acme,«dp.st.dev_backend.{alnum:43}»,active',
    ],
    clean: ['DOPPLER_SERVICE_TOKEN=dp.st.dev_backend.{alnum:12}'],
  },
  'dronahq-api-key': {
    secret: ["    'dronahq_token' => '«{lower:50}»',"],
    clean: ['dronahq_token: {lower:40}'],
  },
  'droneci-access-token': {
    secret: ['<add key="drone_token" value="«{alnum:32}»" />'],
    clean: ['DRONE_TOKEN={alnum:28}'],
  },
  'dropbox-api-token': {
    secret: ['{\\"dropbox_app_secret\\":\\"«{lower:15}»\\"}'],
    clean: [
      'dropbox_app_secret: {lower:12}',
      'DROPBOX_APP_SECRET={upper:15}',
      'dropbox_app_secret = os.environ["DROPBOX_APP_SECRET"]',
    ],
  },
  'dropbox-long-lived-api-token': {
    secret: ["os.environ['DROPBOX_ACCESS_TOKEN'] = '«{alnum:11}AAAAAAAAAA{alnum:43}»'"],
    clean: ['DROPBOX_ACCESS_TOKEN={alnum:11}AAAAAAAAAA{alnum:20}'],
  },
  'dropbox-short-lived-api-token': {
    secret: ['7,acme,«sl.{word:134}a»,active', "login('«sl.u.{word:900}a»')"],
    clean: ['dropbox_access_token: sl.{alnum:60}'],
  },
  'dub-api-key': { secret: ['auth_token = "«dub_{alnum:24}»"'], clean: ['DUB_API_KEY=dub_{alnum:10}'] },
  'duffel-api-token': {
    secret: ['DUFFEL_ACCESS_TOKEN=«duffel_live_{word:42}a»'],
    clean: ['duffel_access_token: duffel_test_{alnum:16}'],
  },
  'dynalist-api-key': { secret: ['"dynalist_token": "«{word:85}a»",'], clean: ['DYNALIST_TOKEN={alnum:60}'] },
  'dynatrace-api-token': {
    secret: ['{"token":"«dt0c01.{upper:24}.{upper:64}»","ttl":60}'],
    clean: ['dt_api_token: dt0c01.{upper:24}'],
  },
  'dyspatch-api-key': {
    secret: ["const dyspatch_api_key = '«{base32:52}»'"],
    clean: ['DYSPATCH_API_KEY={base32:40}'],
  },
  'e2b-api-key': { secret: ['<token>«e2b_{hex:40}»</token>'], clean: ['e2b_api_key: e2b_{hex:20}'] },
  'eagle-eye-networks-api-key': {
    secret: ['eagle_eye_api_key = "«{alnum:15}»"'],
    clean: ['EAGLE_EYE_API_KEY={alnum:12}', 'EAGLE_EYE_API_KEY='],
  },
  'easypost-api-token': {
    secret: ['{\\"auth\\":\\"«EZAK{alnum:54}»\\"}'],
    clean: ['easypost_api_key: EZAK{alnum:30}'],
  },
  'easypost-test-api-token': {
    secret: ['error: 401 for key «EZTK{alnum:54}», giving up'],
    clean: ['EASYPOST_TEST_KEY=EZTK{alnum:30}'],
  },
  'ebay-client-secret': {
    secret: ['| ci | `«PRD-{hex:12}-{hex:4}-{hex:4}-{hex:4}-{hex:4}»` | admin |'],
    clean: ['ebay_cert_id: PRD-{hex:12}-{hex:4}', 'EBAY_CERT_ID=SBX-{uuid}'],
  },
  'ecostruxure-it-api-key': {
    secret: ['<add key="ecostruxure_api_key" value="«AK1{alnum:52}»" />'],
    clean: ['ECOSTRUXURE_API_KEY=AK1{alnum:30}'],
  },
  'edenai-api-key': {
    secret: ['{\\"edenai_api_key\\":\\"«{alnum:36}.{alnum:92}.{alnum:43}»\\"}'],
    clean: ['edenai_api_key: {alnum:36}.{alnum:40}'],
  },
  'elastic-cloud-api-key': {
    secret: ['"EC_API_KEY=«essu_{alnum:86}==»",'],
    clean: ['EC_API_KEY=essu_{alnum:12}'],
  },
  'elasticemail-api-key': {
    secret: ['set -x ELASTICEMAIL_API_KEY «{HEX:96}»'],
    clean: ['elasticemail_api_key: {HEX:64}'],
  },
  'elasticsearch-api-key': {
    secret: ['ENV ELASTIC_API_KEY «{base64:58}==»'],
    clean: ['ELASTIC_API_KEY={alnum:40}=='],
  },
  'elevenlabs-api-key': {
    secret: ['ELEVENLABS_API_KEY=«sk_{hex:48}»'],
    clean: ['elevenlabs_api_key: sk_{hex:40}', 'ELEVENLABS_API_KEY=task_{hex:48}'],
  },
  'elevenlabs-legacy-api-key': { secret: ['"xi_api_key": "«{hex:32}»",'], clean: ['XI_API_KEY={hex:30}'] },
  'endorlabs-api-key': {
    secret: ['{"token":"«endr+{alnum:16}»","ttl":60}'],
    clean: ['endor_api_credentials_secret: endr+{alnum:8}'],
  },
  'enigma-api-key': {
    secret: ["const enigma_api_key = '«{alnum:40}»'"],
    clean: ['ENIGMA_API_KEY={alnum:32}', 'see ENIGMA_API_KEY in the manual'],
  },
  'envoy-api-key': { secret: ['export ENVOY_API_KEY="«{alnum:213}»"'], clean: ['envoy_api_key: {alnum:64}'] },
  'eraser-api-key': { secret: ['eraser_api_token = "«{alnum:20}»"'], clean: ['ERASER_API_TOKEN={alnum:16}'] },
  'etherscan-api-key': {
    secret: ['docker run -e ETHERSCAN_API_KEY=«{upper:34}» acme/app'],
    clean: ['etherscan_api_key: {upper:30}', 'ETHERSCAN_API_KEY=0x{hex:40}', 'ETHERSCAN_API_KEY='],
  },
  'ethplorer-api-key': {
    secret: ['- name: ETHPLORER_API_KEY\n  value: «EK-{alnum:5}-{alnum:7}-{alnum:5}»'],
    clean: ['ETHPLORER_API_KEY=EK-{alnum:5}'],
  },
  'etsy-access-token': {
    secret: ["    'etsy_api_key' => '«{lower:24}»',"],
    clean: ['etsy_api_key: {lower:20}'],
  },
  'eventbrite-api-key': {
    secret: ['<add key="eventbrite_oauth_token" value="«{upper:20}»" />'],
    clean: ['EVENTBRITE_OAUTH_TOKEN={upper:16}', 'eventbrite_oauth_token: <your key here>'],
  },
  'everhour-api-key': {
    secret: ['{\\"everhour_api_key\\":\\"«{hex:4}-{hex:4}-{hex:6}-{hex:6}-{hex:8}»\\"}'],
    clean: ['everhour_api_key: {uuid}'],
  },
  'exa-api-key': { secret: ["os.environ['EXA_API_KEY'] = '«{uuid}»'"], clean: ['EXA_API_KEY={hex:32}'] },
  'exchangerateapi-key': {
    secret: ['set -x EXCHANGE_RATE_API_KEY «{hex:24}»'],
    clean: ['exchange_rate_api_key: {hex:20}', 'exchange_rate_api_key = os.environ["EXCHANGE_RATE_API_KEY"]'],
  },
  'exchangeratesapi-key': {
    secret: ['ENV EXCHANGERATESAPI_KEY «{alnum:32}»'],
    clean: ['EXCHANGERATESAPI_KEY={alnum:24}'],
  },
  'exoscale-api-key': {
    secret: ['EXOSCALE_API_KEY=«EXO{hex:24}»'],
    clean: ['exoscale_api_key: EXO{hex:20}'],
  },
  'exoscale-api-secret': {
    secret: ['"exoscale_api_secret": "«{word:42}a»",'],
    clean: ['EXOSCALE_API_SECRET={alnum:30}', 'EXOSCALE_API_SECRET=${EXOSCALE_API_SECRET}'],
  },
  'expo-access-token': { secret: ['expo_token: «{word:39}a»'], clean: ['expo_token: {alnum:30}'] },
  'extractorapi-key': {
    secret: ["const extractorapi_key = '«{uuid}»'"],
    clean: ['EXTRACTORAPI_KEY={alnum:30}'],
  },
  'facebook-access-token': {
    secret: ['export FB_ACCESS_TOKEN="«{digits:16}|{alnum:27}»"'],
    clean: ['fb_access_token: {digits:16}|{alnum:10}', 'see FB_ACCESS_TOKEN in the manual'],
  },
  'facebook-page-access-token': {
    secret: ['GET /v1/me?token=«EAAC{alnum:170}»&page=2'],
    clean: ['FACEBOOK_PAGE_TOKEN=EAAC{alnum:40}'],
  },
  'facebook-secret': {
    secret: ['docker run -e FACEBOOK_APP_SECRET=«{hex:32}» acme/app'],
    clean: ['facebook_app_secret: {hex:24}', 'FACEBOOK_APP_SECRET={digits:16}'],
  },
  'fal-api-key': {
    secret: ['- name: FAL_KEY\n  value: «{uuid}:{hex:32}»'],
    clean: ['FAL_KEY={uuid}:{hex:8}', 'FAL_KEY='],
  },
  'fastforex-api-key': {
    secret: ["    'fastforex_api_key' => '«{hex:10}-{hex:10}-{lower:6}»',"],
    clean: ['fastforex_api_key: {hex:10}-{hex:10}'],
  },
  'fastly-api-token': {
    secret: ['<add key="fastly_api_token" value="«{word:31}a»" />'],
    clean: ['FASTLY_API_TOKEN={alnum:24}'],
  },
  'feedier-api-key': {
    secret: ['{\\"feedier_api_key\\":\\"«{alnum:32}»\\"}'],
    clean: ['feedier_api_key: {alnum:20}', 'feedier_api_key: <your key here>'],
  },
  'fetchrss-api-key': {
    secret: ["os.environ['FETCHRSS_API_KEY'] = '«{alnum:23}.{alnum:16}»'"],
    clean: ['FETCHRSS_API_KEY={alnum:30}'],
  },
  'figma-legacy-access-token': {
    secret: ['X-Figma-Token: «{digits:6}-{uuid}»'],
    clean: ['X-Figma-Token: {digits:6}-{hex:8}'],
  },
  'figma-personal-access-token': {
    secret: ['auth_token = "«figd_{word:39}a»"'],
    clean: ['FIGMA_TOKEN=figd_{alnum:12}'],
  },
  'fileio-secret-key': {
    secret: ['FILEIO_SECRET_KEY=«{upper:7}.{upper:7}-{upper:7}-{upper:7}-{upper:7}»'],
    clean: ['fileio_secret_key: {upper:7}.{upper:7}-{upper:7}'],
  },
  'finage-api-key': { secret: ['"finage": "«API_KEY{upper:32}»",'], clean: ['FINAGE=API_KEY{upper:20}'] },
  'financial-modeling-prep-api-key': {
    secret: ['fmp_api_key: «{alnum:32}»'],
    clean: ['fmp_api_key: {alnum:24}', 'FMP_API_KEY=${FMP_API_KEY}'],
  },
  'findl-api-key': { secret: ["const findl_api_key = '«{uuid}»'"], clean: ['FINDL_API_KEY={hex:20}'] },
  'finicity-api-token': {
    secret: ['export FINICITY_APP_KEY="«{hex:32}»"'],
    clean: ['finicity_app_key: {hex:28}'],
  },
  'finicity-client-secret': {
    secret: ['finicity_partner_secret = "«{alnum:20}»"'],
    clean: ['FINICITY_PARTNER_SECRET={alnum:16}', 'see FINICITY_PARTNER_SECRET in the manual'],
  },
  'finnhub-access-token': {
    secret: [
      'docker run -e FINNHUB_API_KEY=«{lower:20}» acme/app',
      "os.environ['FINNHUB_API_KEY'] = '«{lower:40}»'",
    ],
    clean: ['finnhub_api_key: {lower:18}', 'FINNHUB_API_KEY={lower:30}'],
  },
  'firebase-cloud-messaging-key': {
    secret: ['error: 401 for key «AAAA{alnum:7}:APA91b{word:133}a», giving up'],
    clean: ['FCM_SERVER_KEY=AAAA{alnum:7}:APA91b{alnum:40}'],
  },
  'firecrawl-api-key': {
    secret: ['| ci | `«fc-{hex:32}»` | admin |'],
    clean: ['firecrawl_api_key: fc-{hex:20}'],
  },
  'fireworks-api-key': {
    secret: ['+FIREWORKS_API_KEY: «fw_{alnum:24}»'],
    clean: ['FIREWORKS_API_KEY=fw_{alnum:12}'],
  },
  'fixer-io-api-key': {
    secret: ['{\\"fixer_api_key\\":\\"«{alnum:32}»\\"}'],
    clean: ['fixer_api_key: {alnum:20}'],
  },
  'flatio-api-key': {
    secret: ["os.environ['FLATIO_TOKEN'] = '«{hex:128}»'"],
    clean: ['FLATIO_TOKEN={hex:64}', 'flatio_token: <your key here>'],
  },
  'fleetbase-api-key': {
    secret: ['7,acme,«flb_live_{alnum:20}»,active'],
    clean: ['fleetbase_key: flb_live_{alnum:8}'],
  },
  'flexport-api-key': {
    secret: ['auth_token = "«shltm_{word:39}a»"'],
    clean: ['FLEXPORT_API_KEY=shltm_{alnum:20}'],
  },
  'flickr-access-token': {
    secret: ['FLICKR_API_KEY=«{hex:32}»'],
    clean: ['flickr_api_key: {hex:28}', 'flickr_api_key = os.environ["FLICKR_API_KEY"]'],
  },
  'flickr-secret': { secret: ['"flickr_api_secret": "«{hex:16}»",'], clean: ['FLICKR_API_SECRET={hex:12}'] },
  'flightapi-key': { secret: ['flightapi_key: «{hex:24}»'], clean: ['flightapi_key: {hex:20}'] },
  'flightlabs-api-key': {
    secret: ["const flightlabs_access_key = '«eyJ{alnum:34}.eyJ{alnum:150}.{word:84}a»'"],
    clean: ['FLIGHTLABS_ACCESS_KEY=ey{alnum:34}', 'FLIGHTLABS_ACCESS_KEY=${FLIGHTLABS_ACCESS_KEY}'],
  },
  'float-api-key': {
    secret: ['export FLOAT_API_KEY="«{alnum:58}a=»"'],
    clean: ['float_api_key: {alnum:40}'],
  },
  'flutterwave-encryption-key': {
    secret: ['GET /v1/me?token=«FLWSECK_TEST{hex:12}»&page=2'],
    clean: ['FLW_ENCRYPTION_KEY=FLWSECK_TEST{hex:6}'],
  },
  'flutterwave-public-key': {
    secret: ['{\\"auth\\":\\"«FLWPUBK_TEST-{hex:32}-X»\\"}'],
    clean: ['flw_public_key: FLWPUBK_TEST-{hex:12}-X'],
  },
  'flutterwave-secret-key': {
    secret: ['error: 401 for key «FLWSECK-{hex:32}-X», giving up'],
    clean: ['FLW_SECRET_KEY=FLWSECK-{hex:12}-X'],
  },
  'flyio-access-token': {
    secret: ['| ci | `«fm2_{base64:198}aa==»` | admin |', 'auth_token = "«fo1_{word:42}a»"'],
    clean: ['fly_api_token: fm2_{alnum:20}'],
  },
  'formbucket-api-key': {
    secret: ['<add key="formbucket_token" value="«eyJ{alnum:34}.eyJ{alnum:90}.{word:42}a»" />'],
    clean: ['FORMBUCKET_TOKEN=ey{alnum:34}', 'FORMBUCKET_TOKEN='],
  },
  'formcraft-api-key': {
    secret: ['{\\"formcraft_key\\":\\"«{alnum:32}»\\"}'],
    clean: ['formcraft_key: {alnum:20}'],
  },
  'formio-jwt-token': {
    secret: ['x-jwt-token: «eyJ{alnum:34}.eyJ{alnum:120}.{word:42}a»'],
    clean: ['x-jwt-token: ey{alnum:34}'],
  },
  'foursquare-api-key': {
    secret: ['set -x FOURSQUARE_CLIENT_SECRET «{upper:48}»'],
    clean: ['foursquare_client_secret: {upper:40}', 'foursquare_client_secret: <your key here>'],
  },
  'foursquare-places-api-key': {
    secret: ['auth_token = "«fsq3{base64:42}a=»"'],
    clean: ['FSQ_API_KEY=fsq3{alnum:20}'],
  },
  'frameio-api-token': {
    secret: ['FRAMEIO_TOKEN=«fio-u-{word:63}a»'],
    clean: ['frameio_token: fio-u-{alnum:30}'],
  },
  'freemius-secret-key': {
    secret: [
      "'secret_key' => '«sk_{[abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789~!#%^&*.-]:28}x»',",
    ],
    clean: ['FREEMIUS_SECRET_KEY=sk_{alnum:10}'],
  },
  'freshbooks-access-token': {
    secret: ['freshbooks_access_token: «{hex:64}»'],
    clean: ['freshbooks_access_token: {hex:50}'],
  },
  'front-api-key': {
    secret: ["const front_api_token = '«eyJ{alnum:34}.eyJ{alnum:150}.{word:42}a»'"],
    clean: ['FRONT_API_TOKEN=ey{alnum:34}'],
  },
  'fulcrum-api-key': {
    secret: ['export FULCRUM_API_TOKEN="«{hex:80}»"'],
    clean: ['fulcrum_api_token: {hex:60}', 'FULCRUM_API_TOKEN=${FULCRUM_API_TOKEN}'],
  },
  'fullstory-key': {
    secret: ['fullstory_api_key = "«na1.{base64:99}a»"', '{\\"fullstory_api_key\\":\\"«{base64:87}a»\\"}'],
    clean: ['FULLSTORY_API_KEY={alnum:60}'],
  },
  'fxmarket-api-key': {
    secret: ['docker run -e FXMARKET_API_KEY=«{alnum:20}» acme/app'],
    clean: ['fxmarket_api_key: {alnum:16}'],
  },
}
