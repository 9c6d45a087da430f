import type { RuleSamples } from '../../../../test/support/secret-samples.ts'

export const samplesGJ: RuleSamples = {
  'gcp-api-key': { ok: ['GOOGLE_API_KEY=«AIza{word:34}a»'], bad: ['google_api_key: AIza{alnum:20}'] },
  'gcp-gemini-auth-key': {
    ok: ['Authorization: Bearer «AQ.A{word:48}a»'],
    bad: ['GEMINI_API_KEY=AQ.A{alnum:20}'],
  },
  'gcp-private-key-id': { ok: ['private_key_id: «{hex:40}»'], bad: ['private_key_id: {hex:32}'] },
  'geckoboard-api-key': {
    ok: ["const geckoboard_api_key = '«{hex:32}»'", "    'geckoboard_api_key' => '«{alnum:44}»',"],
    bad: ['GECKOBOARD_API_KEY={alnum:40}', 'geckoboard_api_key: <your key here>'],
  },
  'geoapify-api-key': { ok: ['export GEOAPIFY_API_KEY="«{hex:32}»"'], bad: ['geoapify_api_key: {hex:24}'] },
  'geocode-api-key': { ok: ['geocode_api_key = "«{lower:28}»"'], bad: ['GEOCODE_API_KEY={lower:24}'] },
  'geocodify-api-key': {
    ok: ['docker run -e GEOCODIFY_API_KEY=«{hex:40}» acme/app'],
    bad: ['geocodify_api_key: {hex:32}', 'geocodify_api_key = os.environ["GEOCODIFY_API_KEY"]'],
  },
  'geocodio-api-key': {
    ok: ['- name: GEOCODIO_API_KEY\n  value: «{hex:39}»'],
    bad: ['GEOCODIO_API_KEY={hex:40}'],
  },
  'geoipifi-api-key': {
    ok: ['| ci | `«at_{alnum:29}»` | admin |'],
    bad: ['geo_ipify_key: at_{alnum:20}', 'GEO_IPIFY_KEY=at_least_one_of_the_following'],
  },
  'getemail-api-key': {
    ok: ['<add key="getemail_api_key" value="«{alnum:20}»" />'],
    bad: ['GETEMAIL_API_KEY={alnum:12}', 'GETEMAIL_API_KEY=${GETEMAIL_API_KEY}'],
  },
  'getgeoapi-key': { ok: ['{\\"getgeoapi_key\\":\\"«{hex:40}»\\"}'], bad: ['getgeoapi_key: {hex:32}'] },
  'getgist-api-key': {
    ok: ["os.environ['GETGIST_API_KEY'] = '«{alnum:66}==»'"],
    bad: ['GETGIST_API_KEY={alnum:40}'],
  },
  'getresponse-api-key': {
    ok: ['set -x GETRESPONSE_API_KEY «{lower:32}»'],
    bad: ['getresponse_api_key: {lower:24}', 'see GETRESPONSE_API_KEY in the manual'],
  },
  'ghost-admin-api-key': {
    ok: ['ENV GHOST_ADMIN_API_KEY «{hex:24}:{hex:64}»'],
    bad: ['GHOST_ADMIN_API_KEY={hex:24}'],
  },
  'gitbook-api-token': {
    ok: ['GITBOOK_TOKEN=«gb_api_{alnum:40}»'],
    bad: ['gitbook_token: gb_api_{alnum:10}'],
  },
  'gitea-access-token': {
    ok: ['"gitea_token": "«{hex:40}»",'],
    bad: ['GITEA_TOKEN={hex:32}', 'GITEA_TOKEN='],
  },
  'gitguardian-api-token': {
    ok: ['gitguardian_api_key: «{alnum:71}»'],
    bad: ['gitguardian_api_key: {alnum:64}'],
  },
  'github-app-token': {
    ok: ["login('«ghs_{alnum:36}»')", '| ci | `«ghu_{alnum:36}»` | admin |'],
    bad: ['GITHUB_TOKEN=ghs_{alnum:20}'],
  },
  'github-fine-grained-pat': {
    ok: ['<token>«github_pat_{alnum:22}_{alnum:59}»</token>'],
    bad: ['gh_token: github_pat_{alnum:12}'],
  },
  'github-oauth': {
    ok: ['GET /v1/me?token=«gho_{alnum:36}»&page=2'],
    bad: ['GITHUB_OAUTH_TOKEN=gho_{alnum:20}'],
  },
  'github-pat': {
    ok: [
      'git clone https://oauth2:«ghp_{alnum:36}»@github.com/acme/app.git',
      '"GITHUB_PAT=«ghp_{alnum:36}»",',
    ],
    bad: ['github_pat: ghp_{alnum:30}', 'GITHUB_PAT=ghp_import_all_the_pages_to_a_branch'],
  },
  'github-refresh-token': {
    ok: ['error: 401 for key «ghr_{alnum:76}», giving up'],
    bad: ['GITHUB_REFRESH_TOKEN=ghr_{alnum:20}'],
  },
  'github-secret-key': {
    ok: ["    'github_client_secret' => '«{hex:40}»',"],
    bad: ['github_client_secret: {hex:32}', 'uses: github/codeql-action/init@{hex:40}'],
  },
  'gitlab-cicd-job-token': {
    ok: ['+CI_JOB_TOKEN: «glcbt-64_{word:19}a»'],
    bad: ['CI_JOB_TOKEN=glcbt-64_{alnum:6}'],
  },
  'gitlab-deploy-token': {
    ok: ['curl -u «gldt-{word:19}a»: https://api.example.com'],
    bad: ['gitlab_deploy_token: gldt-{alnum:8}'],
  },
  'gitlab-feature-flag-client-token': {
    ok: ['"UNLEASH_TOKEN=«glffct-{word:19}a»",'],
    bad: ['UNLEASH_TOKEN=glffct-{alnum:8}'],
  },
  'gitlab-feed-token': {
    ok: ['https://gitlab.com/acme.atom?feed_token=«glft-{word:19}a»'],
    bad: ['feed_token: glft-{alnum:8}'],
  },
  'gitlab-incoming-mail-token': {
    ok: ['auth_token = "«glimt-{word:24}a»"'],
    bad: ['MAIL_TOKEN=glimt-{alnum:8}'],
  },
  'gitlab-kubernetes-agent-token': {
    ok: ['helm install agent gitlab/gitlab-agent --set config.token=«glagent-{word:49}a»'],
    bad: ['agent_token: glagent-{alnum:20}'],
  },
  'gitlab-oauth-app-secret': {
    ok: ['Authorization: Bearer «gloas-{hex:64}»'],
    bad: ['GITLAB_APP_SECRET=gloas-{hex:32}'],
  },
  'gitlab-pat': { ok: ['PRIVATE-TOKEN: «glpat-{word:19}a»'], bad: ['gitlab_token: glpat-{alnum:12}'] },
  'gitlab-pat-routable': {
    ok: ["login('«glpat-{word:50}a.{lower:9}»')"],
    bad: ['GITLAB_TOKEN=glpat-{alnum:20}.{lower:4}'],
  },
  'gitlab-pat-routable-versioned': {
    ok: ['<token>«glpat-{word:50}a.01.{lower:9}»</token>'],
    bad: ['gitlab_token: glpat-{word:50}a.{lower:9}'],
  },
  'gitlab-ptt': {
    ok: [
      'curl -X POST -F token=«glptt-{hex:40}» -F ref=main https://gitlab.com/api/v4/projects/1/trigger/pipeline',
    ],
    bad: ['TRIGGER_TOKEN=glptt-{hex:20}'],
  },
  'gitlab-rrt': {
    ok: ['{\\"auth\\":\\"«GR1348941{word:19}a»\\"}'],
    bad: ['registration_token: GR1348941{alnum:8}'],
  },
  'gitlab-runner-authentication-token': {
    ok: ['error: 401 for key «glrt-{word:19}a», giving up'],
    bad: ['CI_RUNNER_TOKEN=glrt-{alnum:8}'],
  },
  'gitlab-runner-authentication-token-routable': {
    ok: [
      '| ci | `«glrt-t3_{word:40}a.{lower:9}»` | admin |',
      'auth_token = "«glrt-t1_{word:40}a.01.{lower:9}»"',
    ],
    bad: ['ci_runner_token: glrt-t3_{alnum:20}.{lower:4}'],
  },
  'gitlab-scim-token': { ok: ['+SCIM_TOKEN: «glsoat-{word:19}a»'], bad: ['SCIM_TOKEN=glsoat-{alnum:8}'] },
  'gitlab-session-cookie': {
    ok: ['Cookie: _gitlab_session=«{hex:32}»; sidebar_collapsed=false'],
    bad: ['Cookie: _gitlab_session={hex:8}'],
  },
  'gitlab-workspace-token': {
    ok: ['"WORKSPACE_TOKEN=«glwt-{word:19}a»",'],
    bad: ['WORKSPACE_TOKEN=glwt-{alnum:8}'],
  },
  'gitter-access-token': { ok: ['set -x GITTER_TOKEN «{hex:40}»'], bad: ['gitter_token: {hex:30}'] },
  'gladia-api-key': { ok: ['x-gladia-key: «{uuid}»'], bad: ['x-gladia-key: {hex:32}'] },
  'glassnode-api-key': {
    ok: ['GLASSNODE_API_KEY=«{alnum:27}»'],
    bad: ['glassnode_api_key: {alnum:24}', 'see GLASSNODE_API_KEY in the manual'],
  },
  'gocardless-api-token': {
    ok: ['"gocardless_access_token": "«live_{word:39}a»",'],
    bad: ['GOCARDLESS_ACCESS_TOKEN=live_{alnum:20}'],
  },
  'godaddy-api-key': {
    ok: ['godaddy_api_secret: «{alnum:22}»', '- name: GODADDY_API_SECRET\n  value: «{alnum:12}_{alnum:22}»'],
    bad: ['godaddy_api_secret: {alnum:20}'],
  },
  'goodday-api-key': {
    ok: ["const goodday_api_token = '«{hex:32}»'"],
    bad: ['GOODDAY_API_TOKEN={hex:24}', 'GOODDAY_API_TOKEN='],
  },
  'google-chat-webhook': {
    ok: ['https://chat.googleapis.com/v1/spaces/AAAA{alnum:7}/messages?key={alnum:39}&token=«{word:42}a»'],
    bad: ['https://chat.googleapis.com/v1/spaces/AAAA{alnum:7}/messages?pageSize=10'],
  },
  'google-legacy-client-secret': {
    ok: ['google_client_secret = "«{alnum:24}»"'],
    bad: ['GOOGLE_CLIENT_SECRET={alnum:18}'],
  },
  'google-oauth-access-token': {
    ok: ['Authorization: Bearer «ya29.{word:160}a»', '"ACCESS_TOKEN=«ya29.c.c0{word:200}a»",'],
    bad: ['access_token: ya29.{alnum:10}'],
  },
  'google-oauth-client-secret': {
    ok: ['error: 401 for key «GOCSPX-{word:27}a», giving up'],
    bad: ['client_secret=GOCSPX-{alnum:12}'],
  },
  'google-oauth-refresh-token': {
    ok: ['| ci | `«1//0{word:98}a»` | admin |'],
    bad: ['refresh_token: 1//0{alnum:12}'],
  },
  'google-recaptcha-secret': {
    ok: ['<add key="recaptcha_secret_key" value="«6L{word:37}a»" />'],
    bad: ['RECAPTCHA_SECRET_KEY=6L{alnum:20}', 'recaptcha_secret_key = os.environ["RECAPTCHA_SECRET_KEY"]'],
  },
  'grafana-api-key': {
    ok: ['curl -u «eyJrIjoi{alnum:96}==»: https://api.example.com'],
    bad: ['grafana_api_key: eyJrIjoi{alnum:20}'],
  },
  'grafana-cloud-api-token': {
    ok: ['"GRAFANA_CLOUD_TOKEN=«glc_{alnum:120}=»",'],
    bad: ['GRAFANA_CLOUD_TOKEN=glc_{alnum:12}'],
  },
  'grafana-service-account-token': {
    ok: ['7,acme,«glsa_{alnum:32}_{hex:8}»,active'],
    bad: ['grafana_token: glsa_{alnum:32}'],
  },
  'graphhopper-api-key': { ok: ['ENV GRAPHHOPPER_KEY «{uuid}»'], bad: ['GRAPHHOPPER_KEY={hex:20}'] },
  'greptile-api-key': { ok: ['GREPTILE_API_KEY=«{base64:43}a»'], bad: ['greptile_api_key: {alnum:12}'] },
  'groovehq-api-key': {
    ok: ['"groovehq_token": "«{hex:64}»",'],
    bad: ['GROOVEHQ_TOKEN={hex:40}', 'see GROOVEHQ_TOKEN in the manual'],
  },
  'groq-api-key': { ok: ['{"token":"«gsk_{alnum:52}»","ttl":60}'], bad: ['groq_api_key: gsk_{alnum:20}'] },
  'gtmetrix-api-key': { ok: ["const gtmetrix_api_key = '«{hex:32}»'"], bad: ['GTMETRIX_API_KEY={hex:24}'] },
  'guardian-api-key': {
    ok: ['export GUARDIAN_API_KEY="«{uuid}»"'],
    bad: ['guardian_api_key: {hex:20}', 'GUARDIAN_API_KEY='],
  },
  'gumroad-api-key': {
    ok: ['gumroad_access_token = "«{word:42}a»"', '{\\"gumroad_access_token\\":\\"«{hex:64}»\\"}'],
    bad: ['GUMROAD_ACCESS_TOKEN={alnum:30}'],
  },
  'gyazo-api-key': {
    ok: ['docker run -e GYAZO_ACCESS_TOKEN=«{word:42}a» acme/app'],
    bad: ['gyazo_access_token: {alnum:32}'],
  },
  'happyscribe-api-key': {
    ok: ['- name: HAPPYSCRIBE_API_KEY\n  value: «{alnum:24}»'],
    bad: ['HAPPYSCRIBE_API_KEY={alnum:20}', 'happyscribe_api_key: <your key here>'],
  },
  'harness-api-key': {
    ok: ['| ci | `«pat.{word:22}.{hex:24}.{alnum:20}»` | admin |'],
    bad: ['harness_platform_api_key: pat.{word:22}.{hex:24}'],
  },
  'hashicorp-tf-api-token': {
    ok: ['credentials "app.terraform.io" { token = "«{alnum:14}.atlasv1.{word:66}a»" }'],
    bad: ['TFE_TOKEN={alnum:14}.atlasv1.{alnum:20}'],
  },
  'hashicorp-tf-password': {
    ok: [
      '  administrator_login_password = "«{[abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789!@#%]:18}»"',
    ],
    bad: [
      '  administrator_login_password = "${var.admin_password}"',
      '  master_password = var.master_password',
    ],
  },
  'hasura-admin-secret': {
    ok: ['x-hasura-admin-secret: «{alnum:64}»'],
    bad: ['x-hasura-admin-secret: {alnum:12}'],
  },
  'hcp-client-secret': {
    ok: ['set -x HCP_CLIENT_SECRET «{word:63}a»'],
    bad: ['hcp_client_secret: {alnum:40}'],
  },
  'helicone-api-key': {
    ok: ['auth_token = "«sk-helicone-{lower:7}-{lower:7}-{lower:7}-{lower:7}»"'],
    bad: ['HELICONE_API_KEY=sk-helicone-{lower:7}'],
  },
  'hellosign-api-key': { ok: ['HELLOSIGN_API_KEY=«{hex:64}»'], bad: ['hellosign_api_key: {hex:40}'] },
  'helpcrunch-api-key': {
    ok: ['"helpcrunch_api_key": "«{base64:327}a»",'],
    bad: ['HELPCRUNCH_API_KEY={alnum:100}'],
  },
  'helpscout-api-key': {
    ok: ['helpscout_api_key: «{hex:40}»', '- name: HELPSCOUT_API_KEY\n  value: «{alnum:56}»'],
    bad: ['helpscout_api_key: {alnum:48}', 'see HELPSCOUT_API_KEY in the manual'],
  },
  'hereapi-key': { ok: ["const here_api_key = '«{word:42}a»'"], bad: ['HERE_API_KEY={alnum:30}'] },
  'heroku-api-key': { ok: ['export HEROKU_API_KEY="«{uuid}»"'], bad: ['heroku_api_key: {hex:32}'] },
  'heroku-api-key-v2': {
    ok: ['GET /v1/me?token=«HRKU-AA{word:57}a»&page=2', 'curl -u «HRKU-{uuid}»: https://api.example.com'],
    bad: ['HEROKU_API_KEY=HRKU-{alnum:20}'],
  },
  'hetzner-api-token': {
    ok: ['docker run -e HCLOUD_TOKEN=«{alnum:64}» acme/app'],
    bad: ['hcloud_token: {alnum:40}'],
  },
  'highnote-secret-live-key': {
    ok: ['error: 401 for key «sk_live_{base64:60}a=», giving up'],
    bad: ['HIGHNOTE_API_KEY=sk_live_{alnum:8}'],
  },
  'hiveage-api-key': {
    ok: ["    'hiveage_api_key' => '«{alnum:20}»',"],
    bad: ['hiveage_api_key: {alnum:16}', 'hiveage_api_key: <your key here>'],
  },
  'holiday-api-key': {
    ok: ['<add key="holiday_api_key" value="«{uuid}»" />'],
    bad: ['HOLIDAY_API_KEY={hex:20}'],
  },
  'holistic-api-key': {
    ok: ['{\\"holistic_api_key\\":\\"«{alnum:20}»\\"}'],
    bad: ['holistic_api_key: {alnum:12}'],
  },
  'honeycomb-api-key': {
    ok: ['X-Honeycomb-Team: «{alnum:22}»', 'curl -H "X-Honeycomb-Team: «{hex:32}»" https://api.example.com'],
    bad: ['X-Honeycomb-Team: {alnum:18}', 'X-Honeycomb-Team = os.environ["X-Honeycomb-Team"]'],
  },
  'honeycomb-ingest-key': {
    ok: ['7,acme,«hcaik_{lower:58}»,active'],
    bad: ['honeycomb_api_key: hcaik_{lower:12}'],
  },
  'html2pdf-api-key': { ok: ['ENV HTML2PDF_API_KEY «{alnum:64}»'], bad: ['HTML2PDF_API_KEY={alnum:50}'] },
  'hubspot-api-key': {
    ok: ['HUBSPOT_API_KEY=«{uuid}»'],
    bad: ['hubspot_api_key: {hex:20}', 'HUBSPOT_API_KEY=${HUBSPOT_API_KEY}'],
  },
  'hubspot-private-app-token': {
    ok: ['Authorization: Bearer «pat-na1-{uuid}»'],
    bad: ['HUBSPOT_ACCESS_TOKEN=pat-na1-{hex:8}'],
  },
  'huggingface-access-token': {
    ok: ['{"token":"«hf_{letters:34}»","ttl":60}'],
    bad: ['hf_token: hf_{letters:20}', 'HF_TOKEN=hf_hub_download_with_progress_callbacks'],
  },
  'huggingface-organization-api-token': {
    ok: ["login('«api_org_{letters:34}»')"],
    bad: ['HF_ORG_TOKEN=api_org_{letters:12}'],
  },
  'humanity-api-key': {
    ok: ['export HUMANITY_ACCESS_TOKEN="«{lower:40}»"'],
    bad: ['humanity_access_token: {lower:32}'],
  },
  'hunter-api-key': { ok: ['hunter_api_key = "«{hex:40}»"'], bad: ['HUNTER_API_KEY={hex:32}'] },
  'hybiscus-api-key': {
    ok: ['docker run -e HYBISCUS_API_KEY=«{word:42}a» acme/app'],
    bad: ['hybiscus_api_key: {alnum:30}', 'HYBISCUS_API_KEY='],
  },
  'ibm-cloud-user-key': {
    ok: ['- name: IBMCLOUD_API_KEY\n  value: «{word:43}a»'],
    bad: ['IBMCLOUD_API_KEY={alnum:30}'],
  },
  'iconfinder-api-key': {
    ok: ["    'iconfinder_api_key' => '«{alnum:64}»',"],
    bad: ['iconfinder_api_key: {alnum:40}'],
  },
  'iex-cloud-api-key': {
    ok: ['<add key="iex_token" value="«pk_{hex:32}»" />', 'IEX_TOKEN=«Tsk_{hex:32}»'],
    bad: ['IEX_TOKEN=pk_{hex:20}', 'iex_token: <your key here>'],
  },
  'iex-cloud-secret-token': {
    ok: ['curl -u «sk_{hex:32}»: https://api.example.com'],
    bad: ['api_token: sk_{hex:24}', 'API_TOKEN=task_{hex:32}'],
  },
  'imagekit-api-key': {
    ok: ['"IMAGEKIT_PRIVATE_KEY=«private_{base64:26}a=»",'],
    bad: ['IMAGEKIT_PRIVATE_KEY=private_{alnum:27}', 'imagekit_private_key: private_methods_are_not_allowed'],
  },
  'imagga-api-key': {
    ok: ['set -x IMAGGA_API_SECRET «{hex:32}»', "const imagga_api_secret = '«{alnum:70}==»'"],
    bad: ['imagga_api_secret: {hex:24}', 'imagga_api_secret = os.environ["IMAGGA_API_SECRET"]'],
  },
  'impala-api-key': { ok: ['ENV IMPALA_API_KEY «{alnum:46}»'], bad: ['IMPALA_API_KEY={alnum:40}'] },
  'infisical-service-token': {
    ok: ['INFISICAL_TOKEN=«st.{hex:24}.{hex:32}.{hex:32}»'],
    bad: ['infisical_token: st.{hex:24}.{hex:32}'],
  },
  'influxdb-api-token': {
    ok: ['"influx_token": "«{word:86}==»",'],
    bad: ['INFLUX_TOKEN={word:60}==', 'INFLUX_TOKEN=${INFLUX_TOKEN}'],
  },
  'influxdb-v3-token': {
    ok: ['{"token":"«apiv3_{word:85}a»","ttl":60}'],
    bad: ['influxdb3_auth_token: apiv3_endpoint_url'],
  },
  'infomaniak-api-token': {
    ok: ["const infomaniak_access_token = '«{word:85}a»'"],
    bad: ['INFOMANIAK_ACCESS_TOKEN={alnum:40}'],
  },
  'infracost-api-token': {
    ok: ['<token>«ico-{alnum:32}»</token>'],
    bad: ['infracost_api_key: ico-{alnum:12}'],
  },
  'infura-api-key': { ok: ['infura_api_key = "«{hex:32}»"'], bad: ['INFURA_API_KEY={hex:24}'] },
  'infura-endpoint-url': {
    ok: ['https://mainnet.infura.io/v3/«{hex:32}»', 'wss://sepolia.infura.io/ws/v3/«{hex:32}»'],
    bad: ['https://mainnet.infura.io/v3/YOUR-PROJECT-ID'],
  },
  'inngest-signing-key': {
    ok: ['error: 401 for key «signkey-prod-{hex:64}», giving up'],
    bad: ['INNGEST_SIGNING_KEY=signkey-prod-{hex:12}'],
  },
  'insightly-api-key': {
    ok: ["    'insightly_api_key' => '«{uuid}»',"],
    bad: ['insightly_api_key: {hex:20}'],
  },
  'instabot-api-key': {
    ok: ['<add key="instabot_api_key" value="«{base64:43}=»" />'],
    bad: ['INSTABOT_API_KEY={alnum:30}='],
  },
  'instagram-access-token': {
    ok: ['curl -u «IGQV{word:160}a»: https://api.example.com'],
    bad: ['instagram_access_token: IGQV{alnum:30}'],
  },
  'intercom-access-token': {
    ok: ['"INTERCOM_ACCESS_TOKEN=«dG9rO{alnum:54}=»",'],
    bad: ['INTERCOM_ACCESS_TOKEN=dG9rO{alnum:20}'],
  },
  'intercom-api-key': { ok: ['set -x INTERCOM_API_KEY «{word:59}a»'], bad: ['intercom_api_key: {alnum:40}'] },
  'interseller-api-key': {
    ok: ['ENV INTERSELLER_API_KEY «{alnum:40}»'],
    bad: ['INTERSELLER_API_KEY={alnum:16}', 'interseller_api_key = os.environ["INTERSELLER_API_KEY"]'],
  },
  'intra42-client-secret': {
    ok: ['FT_CLIENT_SECRET=«s-s4t2ud-{hex:64}»'],
    bad: ['ft_client_secret: s-s4t2ud-{hex:32}'],
  },
  'intrinio-api-key': { ok: ['"intrinio_api_key": "«{alnum:44}»",'], bad: ['INTRINIO_API_KEY={alnum:40}'] },
  'ionic-api-token': { ok: ['{"token":"«ion_{alnum:42}»","ttl":60}'], bad: ['ionic_token: ion_{alnum:20}'] },
  'ip2location-api-key': {
    ok: ["const ip2location_api_key = '«{HEX:32}»'"],
    bad: ['IP2LOCATION_API_KEY={HEX:24}'],
  },
  'ipapi-api-key': { ok: ['export IPAPI_ACCESS_KEY="«{hex:32}»"'], bad: ['ipapi_access_key: {hex:24}'] },
  'ipgeolocation-api-key': {
    ok: ['ipgeolocation_api_key = "«{hex:32}»"'],
    bad: ['IPGEOLOCATION_API_KEY={hex:24}', 'see IPGEOLOCATION_API_KEY in the manual'],
  },
  'ipinfo-api-key': {
    ok: ['docker run -e IPINFO_TOKEN=«{hex:14}» acme/app'],
    bad: ['ipinfo_token: {hex:12}'],
  },
  'ipinfodb-api-key': { ok: ['- name: IPINFODB_KEY\n  value: «{hex:64}»'], bad: ['IPINFODB_KEY={hex:40}'] },
  'ipqualityscore-api-key': {
    ok: ["    'ipqs_api_key' => '«{alnum:32}»',"],
    bad: ['ipqs_api_key: {alnum:24}', 'IPQS_API_KEY='],
  },
  'ipstack-api-key': {
    ok: ['<add key="ipstack_access_key" value="«{hex:32}»" />'],
    bad: ['IPSTACK_ACCESS_KEY={hex:24}'],
  },
  'jenkins-token-or-crumb': {
    ok: ['Jenkins-Crumb: «{hex:64}»', 'curl -H "Jenkins-Crumb: «11{hex:32}»" https://api.example.com'],
    bad: ['Jenkins-Crumb: {hex:20}'],
  },
  'jfrog-api-key': {
    ok: ["os.environ['ARTIFACTORY_API_KEY'] = '«AKCp{alnum:69}»'"],
    bad: ['ARTIFACTORY_API_KEY={alnum:60}', 'artifactory_api_key: <your key here>'],
  },
  'jfrog-identity-token': {
    ok: ['set -x JFROG_IDENTITY_TOKEN «{alnum:64}»'],
    bad: ['jfrog_identity_token: {alnum:50}'],
  },
  'jfrog-reference-token': {
    ok: ['auth_token = "«cmVmdGtu{alnum:56}»"'],
    bad: ['JF_ACCESS_TOKEN=cmVmdGtu{alnum:20}'],
  },
  'jina-api-key': {
    ok: ['JINA_API_KEY=«jina_{hex:32}{word:27}a»'],
    bad: ['jina_api_key: jina_embeddings_v3_base'],
  },
  'jira-token': {
    ok: ['"jira_api_token": "«{alnum:24}»",', 'docker run -e JIRA_API_TOKEN=«N{base64:42}a» acme/app'],
    bad: ['JIRA_API_TOKEN={alnum:20}'],
  },
  'jotform-api-key': { ok: ['jotform_api_key: «{hex:32}»'], bad: ['jotform_api_key: {hex:24}'] },
  'jumpcloud-api-key': {
    ok: ["const jumpcloud_api_key = '«{hex:40}»'", "    'jumpcloud_api_key' => '«jca_{alnum:36}»',"],
    bad: ['JUMPCLOUD_API_KEY={hex:32}', 'JUMPCLOUD_API_KEY=${JUMPCLOUD_API_KEY}'],
  },
  'jupiterone-api-key': {
    ok: ['export JUPITERONE_API_KEY="«{alnum:76}»"'],
    bad: ['jupiterone_api_key: {alnum:60}'],
  },
  'juro-api-key': { ok: ['juro_api_key = "«{alnum:40}»"'], bad: ['JURO_API_KEY={alnum:32}'] },
}
