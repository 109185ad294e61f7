#!/bin/sh
# Writes the charts and configs of scenarios.ts into the folder "$1".
set -eu
cd "$1"
chart() { # NAME [LINES OF Chart.yaml]
  mkdir -p "$1/templates"
  printf 'apiVersion: v2\nname: %s\nversion: 1.0.0\n%s\n' "$1" "${2:-}" > "$1/Chart.yaml"
  printf 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}-data"}\ndata: {a: "1"}\n' > "$1/templates/data.yaml"
  : > "$1/values.yaml"
}
template() { printf '%b\n' "$2" > "$1/templates/x.yaml"; }

chart good
chart dependency 'dependencies: [{name: base, version: 1.0.0, repository: "https://charts.invalid/base"}]'
chart pointer && template pointer 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\ndata: {a: "{{ .Values.missing.map.key }}"}'
chart fails && template fails '{{ fail "replicas must be odd" }}'
chart required && template required 'a: {{ required "host is required" .Values.host }}'
chart yaml && template yaml 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: x\n bad: indent'
chart function && template function '{{ .Values.a | unknown }}'
chart unclosed && template unclosed '{{ if .Values.a }}\napiVersion: v1'
chart include && printf '{{ define "deep" }}{{ .Values.a.b.c }}{{ end }}' > include/templates/_deep.tpl && template include 'a: {{ include "deep" . }}'
chart schema && printf '{"type":"object","required":["host"],"properties":{"host":{"type":"string"},"port":{"type":"integer"}}}' > schema/values.schema.json
chart kube 'kubeVersion: ">=1.99.0"'
chart library 'type: library' && rm library/templates/data.yaml
chart chartless && rm chartless/Chart.yaml
chart badchart && printf 'name: [\n' > badchart/Chart.yaml
chart version && printf 'apiVersion: v2\nname: version\nversion: one.two\n' > version/Chart.yaml
chart badvalues && printf 'a: [1\nb: 2\n' > badvalues/values.yaml
chart kindless && template kindless 'apiVersion: nope.test/v1\nkind: Nope\nmetadata: {name: x}'
chart refused && template refused 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x}\nspec: {replicas: 1}'
chart unnamed && template unnamed 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "Not_A_Name"}'
chart wrongtype && template wrongtype 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: x}\nspec: {replicas: "two", selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: a, image: a}]}}}'
chart foreign && template foreign 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: foreign}'
chart namespace && template namespace 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x, namespace: absent}'
chart slow && template slow 'apiVersion: v1\nkind: Pod\nmetadata: {name: "{{ .Release.Name }}-pod"}\nspec: {containers: [{name: a, image: "nope.invalid/a:1"}]}'
chart hook && template hook 'apiVersion: batch/v1\nkind: Job\nmetadata: {name: "{{ .Release.Name }}-hook", annotations: {helm.sh/hook: pre-install}}\nspec: {backoffLimit: 0, template: {spec: {restartPolicy: Never, containers: [{name: a, image: "busybox:1.36", command: [sh, -c, "exit 1"]}]}}}'
chart selector && template selector 'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: selector}\nspec: {replicas: 0, selector: {matchLabels: {a: "{{ .Values.a | default "x" }}"}}, template: {metadata: {labels: {a: "{{ .Values.a | default "x" }}"}}, spec: {containers: [{name: a, image: a}]}}}'
chart quota && template quota 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: "{{ .Release.Name }}-over", namespace: limited}'
chart undefined && template undefined 'a: {{ include "absent" . }}'
chart variable && template variable 'a: {{ $absent }}'
chart number && template number 'a: {{ .Values.port | lower }}' && printf 'port: 80\n' > number/values.yaml
chart range && template range '{{ range .Values.port }}a{{ end }}' && printf 'port: x\n' > range/values.yaml
chart index && template index 'a: {{ index .Values.list 3 }}' && printf 'list: [a]\n' > index/values.yaml
chart json && template json 'a: {{ mustFromJson "{" }}'
chart decoded && template decoded 'a: {{ (lookup "v1" "Secret" "a" "b").data.key | b64dec }}'
chart lines && template lines '{{ fail "\\n\\nNo database is set.\\nSet db.host, or enable postgresql.\\n" }}'
chart tab && template tab 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n\tname: x'
chart text && template text 'just a text'
chart badschema && printf '{"type":' > badschema/values.schema.json
chart schemaref && printf '{"$ref":"https://schemas.invalid/a.json"}' > schemaref/values.schema.json
chart nameless && printf 'apiVersion: v2\nversion: 1.0.0\n' > nameless/Chart.yaml
chart condition 'dependencies: [{name: base, version: "1.x.x.x", repository: "https://charts.invalid"}]'
chart subchart && mkdir -p subchart/charts && (cd subchart/charts && chart inner && template inner '{{ required "inner.host is required" .Values.host }}')
printf -- '- a\n' > list-values.yaml
printf 'a: {{ .b }}\n' > template-values.yaml
printf 'a: 1\n\tb: 2\n' > tab-values.yaml
printf '<!DOCTYPE html><html><body>Sign in</body></html>' > page.html
printf 'a: [1\nb: 2\n' > bad-values.yaml
printf 'apiVersion: v1\nkind: Config\nclusters: [{name: a, cluster: {server: "https://127.0.0.1:1"}}]\ncontexts: [{name: a, context: {cluster: a, user: a}}]\ncurrent-context: a\nusers: [{name: a, user: {}}]\n' > nowhere.kubeconfig
printf 'not a chart' > garbage.tgz

config() { printf 'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\n%b\n' "$2" > "kind-$1.yaml"; }
config port 'nodes: [{role: control-plane, extraPortMappings: [{containerPort: 80, hostPort: 18999, listenAddress: "127.0.0.1"}]}]'
config mount 'nodes: [{role: control-plane, extraMounts: [{hostPath: /dev/null/x, containerPath: /x}]}]'
config propagation 'nodes: [{role: control-plane, extraMounts: [{hostPath: /proc/nope, containerPath: /x}]}]'
config field 'nodes: [{role: control-plane, extraMount: []}]'
config role 'nodes: [{role: boss}]'
config subnet 'networking: {podSubnet: not-a-subnet}'
config patch 'kubeadmConfigPatches: ["kind: ClusterConfiguration\\nnetworking: [\\n"]'
config kubeadm 'nodes: [{role: control-plane, kubeadmConfigPatches: ["kind: ClusterConfiguration\\nnetworking: {podSubnet: not-a-subnet}\\n"]}]'
config containerd 'containerdConfigPatches: ["[plugins."]'
config mirrors 'containerdConfigPatches: ["[plugins.\\"io.containerd.grpc.v1.cri\\".registry.mirrors.\\"docker.io\\"]\\n  endpoint = [\\"http://mirror.test:5000\\"]\\n"]'
config protocol 'nodes: [{role: control-plane, extraPortMappings: [{containerPort: 80, protocol: HTTP}]}]'
config listen 'nodes: [{role: control-plane, extraPortMappings: [{containerPort: 80, hostPort: 18998, listenAddress: localhost}]}]'
config range 'nodes: [{role: control-plane, extraPortMappings: [{containerPort: 80, hostPort: 80000}]}]'
config planes 'nodes: [{role: worker}]'
config proxy 'networking: {kubeProxyMode: fast}'
config family 'networking: {ipFamily: ipv5}'
config propagate 'nodes: [{role: control-plane, extraMounts: [{hostPath: /tmp, containerPath: /x, propagation: Shared}]}]'
config label 'nodes: [{role: control-plane, labels: [a]}]'
config double 'name: a\nname: b'
config gates 'featureGates: {A: maybe}'
config port-type 'networking: {apiServerPort: abc}'
config twice 'nodes: [{role: control-plane, extraPortMappings: [{containerPort: 80, hostPort: 18995}, {containerPort: 81, hostPort: 18995}]}]'
printf 'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha9\n' > kind-version.yaml
printf 'kind: [\n' > kind-yaml.yaml
