"""What a study is and how it is drawn: folders, volumes, label maps, planes, panes."""
