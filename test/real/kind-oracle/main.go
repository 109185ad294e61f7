// Package main reads kind configs as kind does. Standard input is a JSON array of texts. The output is a JSON array with
// an answer for each: the values that kind's decoder reads, or why kind rejects the config.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"

	yaml "go.yaml.in/yaml/v3"

	"sigs.k8s.io/kind/pkg/apis/config/v1alpha4"
	"sigs.k8s.io/kind/pkg/internal/apis/config"
	"sigs.k8s.io/kind/pkg/internal/apis/config/encoding"
)

type answer struct {
	Error  string            `json:"error,omitempty"`
	Config *v1alpha4.Cluster `json:"config,omitempty"`
}

// load decodes and validates as `kind create cluster --config` does. The name may also come from the command line.
func load(raw []byte) error {
	cluster, err := encoding.Parse(raw)
	if err != nil {
		return err
	}
	config.SetDefaultsCluster(cluster)
	return cluster.Validate()
}

// values are those before kind adds its defaults.
func values(raw []byte) (*v1alpha4.Cluster, error) {
	cluster := &v1alpha4.Cluster{}
	decoder := yaml.NewDecoder(bytes.NewReader(raw))
	decoder.KnownFields(true)
	return cluster, decoder.Decode(cluster)
}

func answerTo(text string) (result answer) {
	defer func() {
		if reason := recover(); reason != nil {
			result = answer{Error: fmt.Sprint("panic: ", reason)}
		}
	}()
	raw := []byte(text)
	if err := load(raw); err != nil {
		return answer{Error: err.Error()}
	}
	cluster, err := values(raw)
	if err != nil {
		return answer{Error: err.Error()}
	}
	return answer{Config: cluster}
}

func main() {
	var texts []string
	if err := json.NewDecoder(os.Stdin).Decode(&texts); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	answers := make([]answer, 0, len(texts))
	for _, text := range texts {
		answers = append(answers, answerTo(text))
	}
	if err := json.NewEncoder(os.Stdout).Encode(answers); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
